/**
 * The rules for names, versions and keys.
 * Invariant: a legal name has exactly one model name, which every model API takes unchanged.
 */
import { parse as parseSemver } from 'semver';

/** MCP 2026-07-28, Tools › Tool Names. */
const NAME = /^[A-Za-z0-9_.-]{1,128}$/;
/** The intersection of what OpenAI, Anthropic and Gemini take as a function name. */
const MODEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;
const MODEL_NAME_LENGTH = 64;

/** The names of `Object.prototype`'s members, which no tool and no property may have. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** Makes the name that model APIs see: dots become underscores. */
export function toModelName(name: string): string {
  return name.replaceAll('.', '_');
}

/** Makes a tool's identity in the registry, in logs and in exports: `orders.lookup@1.0.0`. */
export function toToolKey(name: string, version: string): string {
  return `${name}@${version}`;
}

/** Splits `name@rest` at the last `@`; a bare name has no rest. */
export function splitToolReference(reference: string): { name: string; version: string | undefined } {
  const at = reference.lastIndexOf('@');
  return at <= 0
    ? { name: reference, version: undefined }
    : { name: reference.slice(0, at), version: reference.slice(at + 1) };
}

/** A broken naming rule: its code, what is wrong, and the mend. */
export interface NameProblem {
  readonly code: 'illegal_name' | 'reserved_name' | 'model_name_too_long' | 'illegal_version';
  readonly message: string;
  readonly mend: string;
}

/** Writes what was given for a name: text as it is, anything else by its kind. */
function quote(given: unknown): string {
  return typeof given === 'string' ? JSON.stringify(given) : `of type ${typeof given}`;
}

/** Checks a tool's name; undefined when it is legal. */
export function checkName(name: unknown): NameProblem | undefined {
  if (typeof name !== 'string' || !NAME.test(name)) {
    return {
      code: 'illegal_name',
      message: `the name ${quote(name)} is not 1 to 128 letters, digits, dots, underscores or hyphens`,
      mend: 'Write it as domain.action, such as "orders.lookup".',
    };
  }
  const modelName = toModelName(name);
  if (RESERVED_NAMES.has(name) || RESERVED_NAMES.has(modelName)) {
    return {
      code: 'reserved_name',
      message: `the name "${name}" is a member of Object.prototype`,
      mend: 'Write it as domain.action, such as "orders.lookup".',
    };
  }
  if (modelName.length > MODEL_NAME_LENGTH) {
    return {
      code: 'model_name_too_long',
      message: `the model name "${modelName}" has ${modelName.length} characters and model APIs take ${MODEL_NAME_LENGTH}`,
      mend: `Shorten the name to at most ${MODEL_NAME_LENGTH} characters.`,
    };
  }
  if (!MODEL_NAME.test(modelName)) {
    return {
      code: 'illegal_name',
      message: `the model name "${modelName}" does not start with a letter or an underscore, which model APIs demand`,
      mend: 'Start the name with a letter, such as "orders.lookup".',
    };
  }
  return undefined;
}

/** Checks that a version is a full semantic version (SemVer 2.0.0); undefined when it is. */
export function checkVersion(version: unknown): NameProblem | undefined {
  const parsed = typeof version === 'string' ? parseSemver(version) : null;
  // Build metadata has no precedence (SemVer 2.0.0, clause 10), so two keys would be one version.
  if (parsed !== null && parsed.version === version) return undefined;
  return {
    code: 'illegal_version',
    message: `the version ${quote(version)} is not a full semantic version without build metadata`,
    mend: 'Write major.minor.patch, such as "1.0.0" or "2.0.0-beta.1".',
  };
}
