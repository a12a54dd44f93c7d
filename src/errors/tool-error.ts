/**
 * The error that authors throw to say why a call failed.
 * Invariant: a ToolError always has a snake_case code of its author's, a message and a retryable flag;
 * it is recognised by a shared symbol, so two installed copies of this package understand each other.
 */
import { types } from 'node:util';
import type { JsonValue } from './body';
import { isFrameworkErrorCode } from './codes';

const BRAND = Symbol.for('toolcrib.ToolError');
const AUTHOR_CODE = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;

/** Tells whether a code is one that an author may give: snake_case, at most 64 characters, none of the framework's. */
export function isAuthorCode(code: unknown): code is string {
  return (
    typeof code === 'string' && code.length <= 64 && AUTHOR_CODE.test(code) && !isFrameworkErrorCode(code)
  );
}

/** What an author states about a failure. */
export interface ToolErrorOptions {
  /** snake_case, at most 64 characters, and none of the framework's own codes. */
  readonly code: string;
  /** Shown to the model: what happened and what it could do instead. */
  readonly message: string;
  /** True when this same call, unchanged, may succeed later. */
  readonly retryable: boolean;
  /** Machine-readable facts, shown to the model. */
  readonly detail?: JsonValue;
  /** How long to wait before trying again, in milliseconds. */
  readonly retryAfterMs?: number;
  /** The underlying error; it goes to the log only. */
  readonly cause?: unknown;
}

/**
 * A failure that its author foresaw, answered to the caller as it stands.
 *
 * @throws TypeError when the code is not snake_case or belongs to the framework.
 * @example throw new ToolError({ code: 'order_not_found', message: 'No such order.', retryable: false })
 */
export class ToolError extends Error {
  /** The author's snake_case code. */
  readonly code: string;
  /** True when this same call, unchanged, may succeed later. */
  readonly retryable: boolean;
  /** Machine-readable facts, shown to the model. */
  readonly detail: JsonValue | undefined;
  /** How long to wait before trying again, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(options: ToolErrorOptions) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause });
    if (!isAuthorCode(options.code) && !isFrameworkErrorCode(options.code)) {
      throw new TypeError(
        `ToolError: the code ${String(options.code)} is not snake_case of at most 64 characters; write one such as "order_not_found".`,
      );
    }
    if (isFrameworkErrorCode(options.code)) {
      throw new TypeError(
        `ToolError: the code "${options.code}" belongs to the framework; choose one that names the failure in your domain.`,
      );
    }
    this.name = 'ToolError';
    this.code = options.code;
    this.retryable = options.retryable === true;
    this.detail = options.detail;
    this.retryAfterMs = options.retryAfterMs;
    Object.defineProperty(this, BRAND, { value: true });
  }
}

/** Recognises a {@link ToolError}, also one made by another installed copy of this package. */
export function isToolError(value: unknown): value is ToolError {
  // Node knows an error of another realm too, as instanceof does not.
  return types.isNativeError(value) && BRAND in value;
}
