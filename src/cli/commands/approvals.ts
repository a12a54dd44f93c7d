/**
 * `toolcrib approvals`: the calls that need a person's approval, and what a person decides about them.
 * Invariant: they are those of the store that the configuration names; a decision is never replaced.
 */
import type { ApprovalRecord, ApprovalState } from '../../contract/approval';
import { CliError } from '../cli-error';
import type { OpenToolkit } from '../configuration';
import type { Io } from '../io';
import { plain, toJsonText, toLines, toTable } from '../text';

const HEAD = ['ID', 'STATE', 'TOOL', 'CALLER', 'ASKED', 'EXPIRES'];

/** The request that a command is about. */
export interface ApprovalChoice {
  readonly id: string;
  readonly json: boolean;
}

/** A decision, and who makes it. */
export interface DecisionOptions extends ApprovalChoice {
  readonly by: string;
  readonly reason?: string | undefined;
}

function toTime(ms: number): string {
  return new Date(ms).toISOString();
}

function toRow({ request, state, createdAt, expiresAt }: ApprovalRecord): readonly string[] {
  const { id, tool, principalId } = request;
  return [id, state, tool, principalId ?? 'nobody', toTime(createdAt), toTime(expiresAt)];
}

/** Prints the requests in one state: a table, or with `json` an array. */
export async function listApprovals(
  { approvals }: OpenToolkit,
  { state, json }: { readonly state: ApprovalState; readonly json: boolean },
  io: Io,
): Promise<number> {
  const records = await approvals.list({ state });
  io.stdout(json ? toJsonText(records) : toTable([HEAD, ...records.map(toRow)]));
  return 0;
}

async function find({ approvals }: OpenToolkit, id: string): Promise<ApprovalRecord> {
  const record = await approvals.get(id);
  if (record !== undefined) return record;
  throw new CliError(
    'unknown_approval',
    `there is no request ${id}, or it has expired. See toolcrib approvals list; requests that only the memory of another process holds are not seen from here.`,
  );
}

function toText({ request, state, decision, decidedBy, createdAt, expiresAt }: ApprovalRecord): string {
  const { id, tool, description, sideEffect, principalId, conversationId, preview, problem } = request;
  const lines = [
    `${tool}: ${description}`,
    `  id          ${id}`,
    `  state       ${state}${decidedBy === undefined ? '' : ` by ${decidedBy}`}`,
    `  asked       ${toTime(createdAt)}, until ${toTime(expiresAt)}`,
    `  caller      ${principalId ?? 'nobody that is known'}`,
    ...(conversationId === undefined ? [] : [`  in          ${conversationId}`]),
    `  effect      ${sideEffect.kind}${sideEffect.idempotent ? ', idempotent' : ''}`,
    `  arguments   ${JSON.stringify(request.arguments)}`,
    ...(preview === undefined ? [] : [`  would       ${JSON.stringify(preview)}`]),
    ...(problem === undefined ? [] : [`  problem     ${problem}`]),
    ...(decision === undefined ? [] : [`  decision    ${JSON.stringify(decision)}`]),
  ];
  return toLines(lines);
}

/**
 * Prints one request.
 *
 * @throws CliError `unknown_approval`.
 */
export async function showApproval(
  toolkit: OpenToolkit,
  { id, json }: ApprovalChoice,
  io: Io,
): Promise<number> {
  const record = await find(toolkit, id);
  io.stdout(json ? toJsonText(record) : toText(record));
  return 0;
}

async function decided(
  toolkit: OpenToolkit,
  { id, json }: ApprovalChoice,
  isDecided: boolean,
  io: Io,
): Promise<number> {
  const record = await find(toolkit, id);
  if (!isDecided) throw new CliError('already_decided', `the request ${id} is ${record.state} already.`);
  io.stdout(json ? toJsonText(record) : plain(`${record.request.tool}: ${record.state}\n`));
  return 0;
}

/**
 * Lets the same call run once.
 *
 * @throws CliError `unknown_approval` or `already_decided`.
 */
export async function approve(toolkit: OpenToolkit, options: DecisionOptions, io: Io): Promise<number> {
  const { id, by } = options;
  return decided(toolkit, options, await toolkit.approvals.approve(id, { by }), io);
}

/**
 * Refuses a call for good.
 *
 * @throws CliError `unknown_approval` or `already_decided`.
 */
export async function reject(toolkit: OpenToolkit, options: DecisionOptions, io: Io): Promise<number> {
  const { id, by, reason } = options;
  return decided(toolkit, options, await toolkit.approvals.reject(id, { by, reason }), io);
}
