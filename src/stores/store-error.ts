/**
 * What an operator of a store can mend.
 * Invariant: the message says what is wrong and what to do.
 */

/** The closed set of codes. */
export type StoreErrorCode =
  | 'missing_driver'
  | 'unusable_file'
  | 'missing_tables'
  | 'outdated_tables'
  | 'newer_tables'
  | 'migration_failed'
  | 'closed';

/** A store that cannot be used as it is. */
export class StoreError extends Error {
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreError';
    this.code = code;
  }
}

/** The code of something thrown, which may be an error of another realm. */
export function codeOf(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}

/**
 * Loads a driver, which is an optional peer.
 *
 * @throws StoreError `missing_driver` when it is not installed.
 */
export function loadDriver<T>(name: string, load: () => T): T {
  try {
    return load();
  } catch (error) {
    if (codeOf(error) !== 'MODULE_NOT_FOUND') throw error;
    throw new StoreError('missing_driver', `${name} is not installed. Run npm install ${name}.`, {
      cause: error,
    });
  }
}
