/**
 * `toolcrib ledger`: what stands in the ledger of side effects, and what a person found out about it.
 * Invariant: the ledger is the one that the configuration names; only an unknown outcome is settled.
 */
import type { Ledger, LedgerEntry, LedgerState, Settlement } from '../../contract/ledger';
import { splitToolReference } from '../../contract/names';
import type { JsonValue } from '../../errors/body';
import { reasonOf } from '../../errors/reason';
import { scrubText } from '../../invocation/scrub';
import { findByPrefix, LOOKED_THROUGH, mendOfShort } from '../by-prefix';
import { CliError } from '../cli-error';
import type { OpenToolkit } from '../configuration';
import type { Io } from '../io';
import { recording } from '../recording';
import { moreThan, oneLine, plain, toJsonText, toLines, toTable, toTime } from '../text';

const HEAD = ['KEY', 'STATE', 'TOOL', 'CALLER', 'CALL', 'CLAIMED'];

/** Which entries are listed. */
export interface LedgerListOptions {
  readonly state?: LedgerState | undefined;
  readonly limit: number;
  readonly json: boolean;
}

/** The entry that a command is about. */
export interface LedgerChoice {
  readonly key: string;
  readonly json: boolean;
}

/** What a person found out: one of the two. */
export interface SettleOptions extends LedgerChoice {
  readonly executed?: boolean | undefined;
  readonly notExecuted?: boolean | undefined;
  /** What the action gave, as JSON. */
  readonly result?: string | undefined;
  /** Who says so. */
  readonly by?: string | undefined;
}

function ledgerOf({ ledger }: OpenToolkit): Ledger {
  if (ledger !== undefined) return ledger;
  throw new CliError('no_ledger', 'the toolkit has no ledger. Give createToolkit a ledger.');
}

/** Runs work on the ledger; what fails there is the operator's to mend. */
async function reaching<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError('ledger_failed', oneLine(`the ledger failed: ${scrubText(reasonOf(error))}`), {
      cause: error,
    });
  }
}

function toRow({ key, state, tool, principalId, callId, claimedAt }: LedgerEntry): readonly string[] {
  return [key, state, tool, principalId ?? 'nobody', callId, toTime(claimedAt)];
}

/** Prints the entries, the oldest first: a table, or with `json` an array. */
export async function listLedger(
  toolkit: OpenToolkit,
  { state, limit, json }: LedgerListOptions,
  io: Io,
): Promise<number> {
  const ledger = ledgerOf(toolkit);
  const found = await reaching(() => ledger.list({ state, limit: limit + 1 }));
  const entries = found.slice(0, limit);
  if (found.length > limit) io.stderr(moreThan(limit));
  io.stdout(json ? toJsonText(entries) : toTable([HEAD, ...entries.map(toRow)]));
  return 0;
}

async function find(ledger: Ledger, key: string): Promise<LedgerEntry> {
  const get = (id: string) => reaching(() => ledger.get(id));
  const all = () => reaching(() => ledger.list({ limit: LOOKED_THROUGH }));
  const entry = await findByPrefix({ get, all, idOf: (one) => one.key }, key);
  if (entry !== undefined) return entry;
  const mend =
    'See toolcrib ledger list; what only the memory of another process holds is not seen from here.';
  throw new CliError('unknown_key', `there is no entry ${key}.${mendOfShort(key)} ${mend}`);
}

function toText(entry: LedgerEntry): string {
  const { key, state, tool, principalId, callId, argumentHash, result, compensation } = entry;
  const lines = [
    tool,
    `  key         ${key}`,
    `  state       ${state}`,
    `  claimed     ${toTime(entry.claimedAt)}`,
    `  changed     ${toTime(entry.updatedAt)}`,
    `  lease ends  ${toTime(entry.leaseEndsAt)}`,
    `  caller      ${principalId ?? 'nobody that is known'}`,
    `  call        ${callId}`,
    ...(entry.arguments === undefined ? [] : [`  arguments   ${JSON.stringify(entry.arguments)}`]),
    `  hash        ${argumentHash}`,
    ...(compensation === undefined ? [] : [`  undone by   ${compensation}`]),
    ...(result === undefined ? [] : [`  result      ${JSON.stringify(result)}`]),
  ];
  return toLines(lines);
}

/**
 * Prints one entry.
 *
 * @throws CliError `unknown_key` or `ambiguous_id`.
 */
export async function showLedger(toolkit: OpenToolkit, { key, json }: LedgerChoice, io: Io): Promise<number> {
  const entry = await find(ledgerOf(toolkit), key);
  io.stdout(json ? toJsonText(entry) : toText(entry));
  return 0;
}

function toSettlement({ executed, notExecuted, result }: SettleOptions): Settlement {
  if ((executed === true) === (notExecuted === true)) {
    throw new CliError('illegal_option', 'give --executed or --not-executed.');
  }
  if (notExecuted === true) {
    if (result === undefined) return { outcome: 'not_executed' };
    throw new CliError('illegal_option', '--result is what --executed gave; leave it out.');
  }
  if (result === undefined) return { outcome: 'executed' };
  try {
    const parsed: JsonValue = JSON.parse(result);
    return { outcome: 'executed', result: parsed };
  } catch (error) {
    throw new CliError('illegal_arguments', '--result is not JSON. Write it as {"refunded":1250}.', {
      cause: error,
    });
  }
}

function notUnknown({ key, state, leaseEndsAt }: LedgerEntry): CliError {
  const until = state === 'running' ? `, until its lease ends at ${toTime(leaseEndsAt)} at most` : '';
  return new CliError(
    'not_unknown',
    `the entry ${key} is ${state}${until}; only an unknown outcome is settled.`,
  );
}

/** Holds what an action gave to what its tool declares, since later calls get it. */
async function demandFitting(
  { registry }: OpenToolkit,
  { tool }: LedgerEntry,
  settlement: Settlement,
): Promise<void> {
  if (settlement.outcome === 'not_executed') return;
  const { result } = settlement;
  // A version that is gone has left nothing to hold it to but the one that is called now.
  const spec = registry.get(tool) ?? registry.resolve(splitToolReference(tool).name);
  const checked = await spec?.output.check(result ?? null);
  if (checked?.ok !== false) return;
  const why =
    result === undefined
      ? `${tool} declares an output that null does not fit; a result is needed. Say by --result what it gave.`
      : `--result does not fit the output that ${tool} declares.`;
  throw new CliError('illegal_result', why, {
    problems: checked.violations.map(({ path, rule, message }) => ({
      code: rule,
      place: { tool, path },
      message,
      mend: 'Give a result that fits.',
    })),
  });
}

/**
 * Says what became of an action whose outcome is unknown.
 *
 * @throws CliError `unknown_key`, `ambiguous_id`, `not_unknown`, `illegal_option`, `illegal_arguments`,
 * `illegal_result` or `audit_failed`.
 */
export async function settleLedger(toolkit: OpenToolkit, options: SettleOptions, io: Io): Promise<number> {
  const settlement = toSettlement(options);
  const { json } = options;
  const ledger = ledgerOf(toolkit);
  const entry = await find(ledger, options.key);
  const { key } = entry;
  if (entry.state !== 'unknown') throw notUnknown(entry);
  await demandFitting(toolkit, entry, settlement);
  const { by } = options;
  if (by === undefined) {
    io.stderr('Nobody is named, so that the audit trail does not say who settled it; give --by NAME.\n');
  }
  const isSettled = await reaching(() => recording(() => ledger.settle(key, settlement, by)));
  if (!isSettled) throw notUnknown(await find(ledger, key));
  const words =
    settlement.outcome === 'executed'
      ? 'executed; later calls get the result'
      : 'not executed; the key is free';
  io.stdout(json ? toJsonText({ key, ...settlement }) : plain(`${key}: ${words}\n`));
  return 0;
}

/**
 * Brings the tables of the ledger to the newest version.
 *
 * @throws CliError `no_tables` where the ledger has none.
 */
export async function migrateLedger(
  toolkit: OpenToolkit,
  { json }: { readonly json: boolean },
  io: Io,
): Promise<number> {
  const ledger: object = ledgerOf(toolkit);
  if (!('migrate' in ledger && typeof ledger.migrate === 'function')) {
    throw new CliError('no_tables', 'the ledger has no tables to migrate, as one in memory.');
  }
  const { migrate } = ledger;
  const ran: unknown = await reaching(async () => migrate.call(ledger));
  const names = Array.isArray(ran) ? ran.map(String) : [];
  const words = names.length === 0 ? 'the tables are of the newest version' : `migrated: ${names.join(', ')}`;
  io.stdout(json ? toJsonText({ migrated: names }) : plain(`${words}\n`));
  return 0;
}
