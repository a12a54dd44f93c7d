/**
 * Tells users of changes that were not made, since the audit trail cannot record them.
 * Invariant: whatever else fails is thrown on as it is.
 */
import { types } from 'node:util';
import { reasonOf } from '../errors/reason';
import { scrubText } from '../invocation/scrub';
import { CliError } from './cli-error';
import { oneLine } from './text';

/**
 * Makes a change that has to be recorded.
 *
 * @throws CliError `audit_failed` where it cannot be; nothing was changed then.
 */
export async function recording<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    // By its name, since another installed copy of this package may have made the toolkit.
    if (!types.isNativeError(error) || error.name !== 'UnrecordedError') throw error;
    throw new CliError('audit_failed', oneLine(scrubText(reasonOf(error))), { cause: error });
  }
}
