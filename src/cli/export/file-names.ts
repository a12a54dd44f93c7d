/**
 * Names the files of an export.
 * Invariant: no two names are one on any file system, none leaves its folder, and Windows takes every one.
 */
import { CliError, type CliProblem } from '../cli-error';

/** What keys of legal tools are made of. */
const KEY = /^[A-Za-z0-9_.@-]+$/;
/** Windows reads these before the first dot of a name as devices. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])\./i;
/** What ext4, APFS and NTFS take. */
const MAX_LENGTH = 255;

/** Writes a name as file systems compare it that know neither letter case nor Unicode forms. */
function fold(name: string): string {
  return name.normalize('NFD').toUpperCase().toLowerCase().normalize('NFC');
}

/** A key's file name. A plus sign, which no key has, keeps it from being a device's. */
function toFileName(key: string, extension: string): string {
  return `${DEVICE.test(key) ? '+' : ''}${key}${extension}`;
}

function judgeName(key: string, name: string): readonly CliProblem[] {
  const place = { tool: key };
  if (!KEY.test(key)) {
    const mend = 'Rename the tool: letters, digits, dots, underscores and hyphens.';
    return [{ code: 'illegal_file_name', place, message: 'the key makes no safe file name', mend }];
  }
  if (name.length <= MAX_LENGTH) return [];
  const message = `the file name has ${name.length} characters and file systems take ${MAX_LENGTH}`;
  return [{ code: 'illegal_file_name', place, message, mend: 'Shorten the version.' }];
}

/**
 * The file names of keys, in their order.
 *
 * @param extension with its dot: `.json`.
 * @throws CliError `illegal_export` with all names that are unsafe, and all keys whose names clash.
 */
export function toFileNames(keys: readonly string[], extension: string): readonly string[] {
  const names = keys.map((key) => toFileName(key, extension));
  const takenBy = new Map<string, string>();
  const problems = keys.flatMap((key, index) => {
    const name = names[index] ?? '';
    const twin = takenBy.get(fold(name));
    takenBy.set(fold(name), twin ?? key);
    if (twin === undefined) return judgeName(key, name);
    const message = `its file and that of ${twin} are one where letter case is ignored`;
    return {
      code: 'file_name_clash',
      place: { tool: key },
      message,
      mend: 'Rename or re-version one of them.',
    };
  });
  if (problems.length > 0) {
    throw new CliError('illegal_export', 'nothing was exported, since not all files can be named:', {
      problems,
    });
  }
  return names;
}
