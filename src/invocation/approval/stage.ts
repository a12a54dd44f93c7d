/**
 * The stage `approve`: asks a person before a call that needs it goes on.
 * Invariant: nothing goes on but by a decision for this very call and these arguments; whatever fails on the
 * way to one approves nothing.
 */
import { randomUUID } from 'node:crypto';
import type { ApprovalDecision, ApprovalRequest, Approver } from '../../contract/approval';
import type { Logger } from '../../contract/context';
import { hush } from '../../contract/hush';
import type { Ledger } from '../../contract/ledger';
import type { ToolResult } from '../../contract/result';
import type { InputLimits } from '../../contract/schema';
import type { JsonValue } from '../../errors/body';
import type { FrameworkErrorCode } from '../../errors/codes';
import type { ToolRegistry } from '../../registry/tool-registry';
import { toJson } from '../../validation/to-json';
import type { ApprovalAudit } from '../audit/deciding';
import type { CallState } from '../call-state';
import { Stopped } from '../deadline';
import { type Failure, failure, STORE_RETRY_AFTER_MS } from '../failure';
import { logFields } from '../log-fields';
import { loggedOf } from '../logged-error';
import type { Scrubber } from '../scrub';
import { type StageGuard, type StageOptions, specOf } from '../stages';
import { stoppedFailure } from '../stopped';
import { list } from '../violations';
import { isAnswered } from './answered';
import { neverValid, rejected, required } from './answers';
import { Approvals } from './approvals';
import { goOn, standsBehind } from './behind';
import { BoundedWork } from './bounded';
import { toDecision } from './decision';
import type { ApprovalSettings } from './options';
import { isAskedByPause, toRequest } from './request';
import { unmask } from './unmask';

/** How often a reviewer is asked in one call whose edited arguments are invalid. */
const MAX_EDITS = 5;
/** A longer preview is left out. */
const MAX_PREVIEW_BYTES = 65_536;

/** What the stage needs beside its settings. */
export interface ApproveStageOptions {
  readonly registry: Pick<ToolRegistry, 'authorise'>;
  /** Undefined: there is none. */
  readonly ledger: Pick<Ledger, 'get'> | undefined;
  readonly limits: InputLimits;
  readonly scrubber: Scrubber;
  readonly logger: Logger;
  /** Deadline of tools that state none, in milliseconds; it bounds a preview too. */
  readonly timeoutMs: number;
  /** Undefined: nothing is recorded. */
  readonly audit: ApprovalAudit | undefined;
  /** Hears of a caller who no longer has the scopes. */
  readonly onDenied: StageOptions['onDenied'];
}

/** The stage `approve` of one toolkit. */
export class ApproveStage {
  /** None where approval is off. */
  readonly guards: readonly StageGuard[];
  /** The requests that it keeps. */
  readonly approvals: Approvals;
  private readonly bounded = new BoundedWork();
  /** Masks what reviewers are shown. */
  private readonly reviewers: Scrubber;

  constructor(
    private readonly settings: ApprovalSettings,
    private readonly options: ApproveStageOptions,
  ) {
    const asks = settings.policy === undefined ? 'destructive' : 'policy';
    this.approvals = new Approvals(settings.store, settings.isOn ? asks : 'never');
    this.reviewers = options.scrubber.forReviewers();
    const isPassing = (call: CallState) => this.isSpared(call) && !standsBehind(call);
    const run: StageGuard['run'] = (call, next) =>
      this.isSpared(call) ? goOn(call, next) : this.run(call, next);
    this.guards = settings.isOn ? [{ stage: 'approve', isPassing, run }] : [];
  }

  /** Asks nobody any more: who is asked now has not answered. */
  close(): void {
    this.bounded.close();
  }

  /** Tells what never needs approval without asking anybody, so that it costs nothing. */
  private isSpared(call: CallState): boolean {
    return this.settings.policy === undefined && specOf(call).sideEffect.kind !== 'destructive';
  }

  private async run(
    call: CallState,
    next: () => Promise<ToolResult<JsonValue>>,
  ): Promise<ToolResult<JsonValue>> {
    const refused = await this.unlessStopped(call, () => this.judge(call));
    if (refused !== undefined) return refused;
    const answer = await next();
    if (call.unapproved !== 'vanished') return answer;
    // Its time is that of the handler by now, so whoever calls again is asked for.
    return this.unlessStopped(call, async () => {
      const preview = await this.preview(call);
      return this.keep(call, toRequest(call, this.reviewers, { preview, problem: undefined }));
    });
  }

  private async unlessStopped<T>(call: CallState, act: () => Promise<T>): Promise<T | Failure> {
    try {
      return await act();
    } catch (error) {
      if (error instanceof Stopped) return stoppedFailure(call, error);
      throw error;
    }
  }

  /** Why the call does not go on; undefined: it may. */
  private async judge(call: CallState): Promise<Failure | undefined> {
    if (!(await this.isNeeded(call))) return undefined;
    const what = 'the ledger could not be looked at before asking for approval';
    if (await this.attempt(call, what, () => isAnswered(call, this.options.ledger))) {
      call.unapproved = 'answered';
      return undefined;
    }
    const preview = await this.preview(call);
    call.notes.set('approval', 'ask');
    let problem: string | undefined;
    for (let edits = 0; edits < MAX_EDITS; edits += 1) {
      const request = toRequest(call, this.reviewers, { preview, problem });
      const answer = await this.ask(call, request);
      if ('success' in answer) return answer;
      call.notes.set('approval', answer.type);
      if (answer.type === 'reject') return rejected(call, this.options.scrubber.text(answer.reason ?? ''));
      if (answer.type === 'edit') problem = await this.edit(call, request, answer.arguments);
      if (answer.type === 'approve' || problem === undefined) return this.unauthorised(call);
    }
    return neverValid(call);
  }

  /** Whether the call needs approval; a policy that fails to say so has not let it through. */
  private async isNeeded(call: CallState): Promise<boolean> {
    const { policy } = this.settings;
    if (policy === undefined) return true;
    const { key, sideEffect } = specOf(call);
    const principalId = call.context.principal?.id ?? null;
    const needed = await this.attempt(call, 'the policy of approval failed', async () => {
      const asked = { tool: key, sideEffect, input: await this.inputOf(call), principalId };
      const answer: unknown = await call.deadline.watch(() => policy(asked));
      if (typeof answer === 'boolean') return answer;
      hush(answer);
      throw new TypeError('the policy of approval gave no boolean');
    });
    return needed ?? true;
  }

  /** The input made once more, so that who is only asked about the call cannot change what runs. */
  private async inputOf(call: CallState): Promise<unknown> {
    const outcome = specOf(call).input.parse(call.json, this.options.limits);
    const parsed = 'ok' in outcome ? outcome : await call.deadline.watch(() => outcome);
    if (parsed.ok) return parsed.value;
    throw new TypeError(`the arguments hold no longer: ${list(parsed.violations)}`);
  }

  /** What the tool says that the call would do; undefined where it says nothing, or fails to. */
  private preview(call: CallState): Promise<JsonValue | undefined> {
    const { preview, timeoutMs = this.options.timeoutMs } = specOf(call);
    if (preview === undefined) return Promise.resolve(undefined);
    return this.attempt(call, 'the preview of a tool failed', async () => {
      const input = await this.inputOf(call);
      const said = await this.bounded.run(call, timeoutMs, () => preview(input, call.context));
      if (said === undefined) throw new TypeError('the preview took too long');
      if (said.value === undefined) return undefined;
      const json = toJson(said.value, { maxBytes: MAX_PREVIEW_BYTES });
      if (!json.ok) throw new TypeError(`the preview cannot be shown: ${list(json.violations)}`);
      return json.value;
    });
  }

  /** The decision of whoever can be asked, or else the answer that there is none yet. */
  private async ask(call: CallState, request: ApprovalRequest): Promise<ApprovalDecision | Failure> {
    const { store, approver } = this.settings;
    const atOnce = await this.consult(call, call.options.approver, request);
    if (atOnce !== undefined) return atOnce;
    try {
      const kept = await call.deadline.watch(() => store.take(request.binding));
      const taken = toDecision(kept?.decision);
      if (taken !== undefined) {
        call.approvalId = kept?.request.id;
        return taken;
      }
      const asked = await this.consult(call, approver, request);
      if (asked !== undefined) return asked;
    } catch (error) {
      return this.unasked(call, error);
    }
    return this.keep(call, request);
  }

  /** Keeps a request, to be decided later. */
  private async keep(call: CallState, asked: ApprovalRequest): Promise<Failure> {
    const { store, lifetimeMs } = this.settings;
    // The id of a pause comes again with its call; a store keeps each once.
    const request = isAskedByPause(call) ? { ...asked, id: randomUUID() } : asked;
    try {
      const opened = await call.deadline.watch(async () => {
        const record = await store.open(request, lifetimeMs);
        if (record.request.id === request.id) await this.options.audit?.request(call, request);
        return record;
      });
      call.approvalId = opened.request.id;
      return required(call, opened.request);
    } catch (error) {
      return this.unasked(call, error);
    }
  }

  private unasked(call: CallState, error: unknown): Failure {
    this.passOn(call, error);
    this.log(call, error, 'the store of approvals cannot be used', 'unavailable');
    const message = `Whether ${specOf(call).name} may run cannot be asked now; it was not run. Try again later.`;
    return failure('unavailable', message, { retryable: true, retryAfterMs: STORE_RETRY_AFTER_MS });
  }

  /** Asks somebody; undefined where they have not decided. */
  private async consult(
    call: CallState,
    approver: Approver | undefined,
    request: ApprovalRequest,
  ): Promise<ApprovalDecision | undefined> {
    if (approver === undefined) return undefined;
    return this.attempt(call, 'asking for approval failed', async () => {
      const { timeoutMs } = this.settings;
      const { audit } = this.options;
      const work = (signal: AbortSignal) => approver(request, signal);
      const ask = () => this.bounded.run<unknown>(call, timeoutMs, work);
      const answer = await (audit === undefined ? ask() : audit.asking(call, approver, request, ask));
      if (answer?.value === undefined) return undefined;
      const decision = toDecision(answer.value);
      if (decision === undefined) throw new TypeError('the approver answered what is no decision');
      call.approvalId = request.id;
      await audit?.decided(call, decision);
      return decision;
    });
  }

  /** Takes the reviewer's arguments in place of the call's; gives what is wrong with them. */
  private async edit(
    call: CallState,
    { arguments: masked }: ApprovalRequest,
    edited: JsonValue,
  ): Promise<string | undefined> {
    const { scrubber, limits } = this.options;
    const restored = unmask(edited, masked, call.json ?? null);
    if (!restored.ok) return restored.problem;
    const parsed = await call.deadline.watch(() => specOf(call).input.parse(restored.value, limits));
    if (!parsed.ok) return scrubber.text(`the edited arguments are invalid: ${list(parsed.violations)}`);
    call.accept(parsed.value, parsed.json);
    return undefined;
  }

  /** Authorises once more, since a decision may take a while. */
  private async unauthorised(call: CallState): Promise<Failure | undefined> {
    const spec = specOf(call);
    const { allowed, missing } = this.options.registry.authorise(spec, call.context.principal);
    if (allowed) return undefined;
    call.isDenied = true;
    await this.options.onDenied?.(call);
    const message = `${spec.name} requires ${missing.join(', ')}, which the caller no longer holds.`;
    return failure('insufficient_scope', message, { detail: { missing: [...missing] } });
  }

  /** Runs what others wrote; what it throws is logged, and gives undefined. Stops and pauses are thrown on. */
  private async attempt<T>(
    call: CallState,
    what: string,
    act: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    try {
      return await act();
    } catch (error) {
      this.passOn(call, error);
      this.log(call, error, what);
      return undefined;
    }
  }

  private passOn(call: CallState, error: unknown): void {
    if (error instanceof Stopped || call.isPause(error)) throw error;
  }

  private log(call: CallState, error: unknown, message: string, code?: FrameworkErrorCode): void {
    const { logger, scrubber } = this.options;
    const ofCode = code === undefined ? {} : { code };
    const fields = { ...logFields(call), ...ofCode, error: loggedOf(error, scrubber) };
    try {
      logger.error(fields, message);
    } catch {
      // A logger that throws must not cost the caller the answer.
    }
  }
}
