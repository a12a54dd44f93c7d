/**
 * Looks at the audit trail: whether it can be written.
 * Invariant: it only reads.
 */
import { accessSync, constants, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { inWords } from './answering';
import { fail, ok, type Symptom } from './symptom';

/** Whether an audit file can be written, or made. */
export function checkAuditFile(given: string, cwd: string): Symptom {
  const file = resolve(cwd, given);
  const found = statSync(file, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile()) {
    return fail('audit', `${file} is no file`, 'Name the file that the records go to.');
  }
  try {
    // A trail is rotated in its folder, and its head is recorded there.
    accessSync(dirname(file), constants.W_OK);
    if (found !== undefined) accessSync(file, constants.W_OK);
    return ok('audit', found === undefined ? `${file} can be made` : `${file} can be written`);
  } catch (error) {
    const mend = 'Make its folder, and let the user of the process write there.';
    return fail('audit', `${file} cannot be written: ${inWords(error)}`, mend);
  }
}
