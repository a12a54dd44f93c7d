/**
 * `toolcrib approvals`: the calls that need a person's approval, and what a person decides about them.
 * Invariant: they are those of the store that the configuration names; a decision is never replaced.
 */
import type { ApprovalRecord, ApprovalState } from '../../contract/approval';
import type { JsonValue } from '../../errors/body';
import { escaped, maskedLine, toSafeJson } from '../../invocation/approval/words';
import { findByPrefix, LOOKED_THROUGH, mendOfShort } from '../by-prefix';
import { CliError } from '../cli-error';
import type { OpenToolkit } from '../configuration';
import type { Io } from '../io';
import { recording } from '../recording';
import { moreThan, plain, toJsonText, toLines, toTable, toTime } from '../text';

const HEAD = ['ID', 'STATE', 'TOOL', 'CALLER', 'ASKED', 'EXPIRES'];

/** The request that a command is about. */
export interface ApprovalChoice {
  readonly id: string;
  readonly json: boolean;
}

/** A decision, and who makes it. */
export interface DecisionOptions extends ApprovalChoice {
  readonly by: string;
}

/** Which requests are listed. */
export interface ApprovalListOptions {
  readonly state: ApprovalState;
  readonly limit: number;
  readonly json: boolean;
}

/** Where a request may stand. */
export const APPROVAL_STATES: readonly ApprovalState[] = ['pending', 'approved', 'rejected', 'used'];

function toRow({ request, state, createdAt, expiresAt }: ApprovalRecord): readonly string[] {
  const { id, tool, principalId } = request;
  return [id, state, tool, principalId ?? 'nobody', toTime(createdAt), toTime(expiresAt)];
}

/** Prints the requests in one state: a table, or with `json` an array. */
export async function listApprovals(
  { approvals }: OpenToolkit,
  { state, limit, json }: ApprovalListOptions,
  io: Io,
): Promise<number> {
  const found = await approvals.list({ state, limit: limit + 1 });
  const records = found.slice(0, limit);
  if (found.length > limit) io.stderr(moreThan(limit));
  io.stdout(json ? toJsonText(records) : toTable([HEAD, ...records.map(toRow)]));
  return 0;
}

async function find({ approvals }: OpenToolkit, id: string): Promise<ApprovalRecord> {
  const get = (one: string) => approvals.get(one);
  const all = async () => {
    const states = APPROVAL_STATES.map((state) => approvals.list({ state, limit: LOOKED_THROUGH }));
    return (await Promise.all(states)).flat();
  };
  const record = await findByPrefix({ get, all, idOf: ({ request }) => request.id }, id);
  if (record !== undefined) return record;
  throw new CliError(
    'unknown_approval',
    `there is no request ${id}, or it has expired.${mendOfShort(id)} See toolcrib approvals list; requests that only the memory of another process holds are not seen from here.`,
  );
}

function toText({ request, state, decision, decidedBy, createdAt, expiresAt }: ApprovalRecord): string {
  const { id, tool, description, sideEffect, principalId, conversationId, preview, problem } = request;
  const masked = maskedLine(request.masked);
  const lines = [
    `${tool}: ${description}`,
    `  id          ${id}`,
    `  state       ${state}${decidedBy === undefined ? '' : ` by ${decidedBy}`}`,
    `  asked       ${toTime(createdAt)}, until ${toTime(expiresAt)}`,
    `  caller      ${principalId === null ? 'nobody that is known' : escaped(principalId)}`,
    ...(conversationId === undefined ? [] : [`  in          ${conversationId}`]),
    `  effect      ${sideEffect.kind}${sideEffect.idempotent ? ', idempotent' : ''}`,
    `  arguments   ${toSafeJson(request.arguments)}`,
    ...(preview === undefined ? [] : [`  would       ${toSafeJson(preview)}`]),
    ...(masked === undefined ? [] : [`  ${masked}`]),
    ...(problem === undefined ? [] : [`  problem     ${problem}`]),
    ...(decision === undefined ? [] : [`  decision    ${JSON.stringify(decision)}`]),
  ];
  return toLines(lines);
}

/**
 * Prints one request.
 *
 * @throws CliError `unknown_approval` or `ambiguous_id`.
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

/** Makes a decision, and prints what then stands. */
async function decided(
  toolkit: OpenToolkit,
  { id: given, json }: ApprovalChoice,
  decide: (id: string) => Promise<boolean>,
  io: Io,
): Promise<number> {
  const { id } = (await find(toolkit, given)).request;
  const isDecided = await recording(() => decide(id));
  const record = await find(toolkit, id);
  if (!isDecided) throw new CliError('already_decided', `the request ${id} is ${record.state} already.`);
  io.stdout(json ? toJsonText(record) : plain(`${record.request.tool}: ${record.state}\n`));
  return 0;
}

/**
 * Lets the same call run once.
 *
 * @throws CliError `unknown_approval`, `ambiguous_id`, `already_decided` or `audit_failed`.
 */
export async function approve(toolkit: OpenToolkit, options: DecisionOptions, io: Io): Promise<number> {
  const { by } = options;
  return decided(toolkit, options, (id) => toolkit.approvals.approve(id, { by }), io);
}

/**
 * Lets the call run once with other arguments.
 *
 * @throws CliError `illegal_arguments`, `unknown_approval`, `ambiguous_id` or `already_decided`.
 */
export async function edit(
  toolkit: OpenToolkit,
  options: DecisionOptions & { readonly args: string },
  io: Io,
): Promise<number> {
  const { by, args } = options;
  const parsed = toArguments(args);
  return decided(toolkit, options, (id) => toolkit.approvals.edit(id, parsed, { by }), io);
}

function toArguments(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CliError('illegal_arguments', '--args is not JSON. Write it as {"cents":1250}.', { cause });
  }
}

/**
 * Refuses a call, once: the same call made anew asks again.
 *
 * @throws CliError `unknown_approval`, `ambiguous_id` or `already_decided`.
 */
export async function reject(
  toolkit: OpenToolkit,
  options: DecisionOptions & { readonly reason?: string | undefined },
  io: Io,
): Promise<number> {
  const { by, reason } = options;
  return decided(toolkit, options, (id) => toolkit.approvals.reject(id, { by, reason }), io);
}
