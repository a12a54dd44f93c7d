/**
 * Looks at the audit trail: whether it can be written, by whom it is, and whether it is all there.
 * Invariant: it only reads; whatever does not answer in time has failed.
 */
import { accessSync, constants, type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { writerOf } from '../../audit/lock';
import { endOfTrail } from '../../audit/trail-end';
import type { AuditSink } from '../../contract/audit';
import { scrubText } from '../../invocation/scrub';
import { memberOf } from '../../metadata/members';
import { oneLine } from '../text';
import { openDatabase, toTrailPlace } from '../trail-place';
import { answering, inWords } from './answering';
import { type Clocks, checkStoreClock } from './clock';
import { fail, ok, type Symptom } from './symptom';

/** Whether an audit file can be written, or made, and whether its end is that of its recorded head. */
export function checkAuditFile(given: string, cwd: string, check = 'audit'): Symptom {
  const file = resolve(cwd, given);
  // A file may have any name, also one that somebody took for a connection string.
  const name = oneLine(scrubText(file));
  let found: Stats | undefined;
  try {
    found = statSync(file, { throwIfNoEntry: false });
    if (found !== undefined && !found.isFile()) {
      return fail(check, `${name} is no file`, 'Name the file that the records go to.');
    }
    // A trail is rotated in its folder, and its lock and its head are kept there.
    accessSync(dirname(file), constants.W_OK);
    if (found !== undefined) accessSync(file, constants.W_OK);
  } catch (error) {
    const mend = 'Make its folder, and let the user of the process write there.';
    return fail(check, `${name} cannot be written: ${inWords(error)}`, mend);
  }
  try {
    endOfTrail(file);
    const writer = writerOf(file);
    const words = `${name} can be ${found === undefined ? 'made' : 'written'}`;
    return ok(check, writer === undefined ? words : `${words}; ${writer} has its lock`);
  } catch (error) {
    return fail(check, inWords(error), 'Run toolcrib audit verify.');
  }
}

async function checkReached(
  check: string,
  sink: AuditSink,
  head: () => unknown,
  clocks: Clocks,
): Promise<readonly Symptom[]> {
  try {
    await answering(async () => head());
  } catch (error) {
    const mend = 'Start its database, correct where it is, or open it once with migrate: true.';
    return [fail(check, inWords(error), mend)];
  }
  return [ok(check, 'it answers'), ...(await checkStoreClock(check, sink, clocks))];
}

/**
 * Whether the trail that somebody names works: a file, or the URL of a Postgres database.
 *
 * @throws CliError `illegal_option` for any other URL; whatever opening the database throws.
 */
export async function checkAuditTrail(
  given: string,
  cwd: string,
  clocks: Clocks,
): Promise<readonly Symptom[]> {
  const { file, url } = toTrailPlace(given, cwd);
  if (url === undefined) return [checkAuditFile(file, cwd)];
  const audit = await openDatabase(url);
  try {
    return await checkReached('audit', audit, () => audit.head(), clocks);
  } finally {
    await audit.close();
  }
}

/** Whether the sink of a toolkit works; none: nothing is recorded. Another installed copy may have made the sink. */
export async function checkAuditSink(
  sink: AuditSink | undefined,
  clocks: Clocks,
): Promise<readonly Symptom[]> {
  if (sink === undefined) return [];
  const path = memberOf(sink, 'path');
  if (typeof path === 'string' && 'head' in sink) return [checkAuditFile(path, '/', 'audit sink')];
  const head = memberOf(sink, 'head');
  if (typeof head === 'function') return checkReached('audit sink', sink, () => head.call(sink), clocks);
  return [ok('audit sink', "it is the application's own, which tells nothing unless it is written to")];
}
