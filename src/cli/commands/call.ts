/**
 * `toolcrib call`: calls one tool, on the path that every call takes.
 * Invariant: nobody is calling unless the options say who; what is printed is what a model would get.
 */
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import type { Approver } from '../../contract/approval';
import type { ProgressUpdate } from '../../contract/context';
import { toWire, type WireResult } from '../../contract/result';
import { reasonOf } from '../../errors/reason';
import { CliError } from '../cli-error';
import type { OpenToolkit } from '../configuration';
import { toContentLines, toProgressLine } from '../content-lines';
import { findTool } from '../find-tool';
import type { Io } from '../io';
import { toPrincipal } from '../options';
import { oneLine, plain, toJsonText } from '../text';

/** What is read for arguments at most, in bytes; a toolkit's own limits are far below it. */
const MAX_BYTES = 16 * 1024 * 1024;

/** The options of a call. */
export interface CallOptions {
  readonly tool: string;
  /** JSON, or `-` for standard input. */
  readonly args?: string | undefined;
  /** A file with JSON, or `-` for standard input. */
  readonly argsFile?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  /** The id of the principal. */
  readonly as?: string | undefined;
  /** Whether whoever calls approves the call too. */
  readonly approve?: boolean | undefined;
  readonly json: boolean;
}

async function readAll(source: string, chunks: AsyncIterable<string | Uint8Array>): Promise<string> {
  const read: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of chunks) {
      read.push(Buffer.from(chunk));
      size += chunk.length;
      if (size > MAX_BYTES) break;
    }
  } catch (error) {
    throw new CliError('unreadable_file', `${source} cannot be read: ${reasonOf(error)}.`, { cause: error });
  }
  if (size > MAX_BYTES) {
    throw new CliError('illegal_arguments', `${source} holds more than ${MAX_BYTES} bytes. Send less.`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(read));
  } catch (error) {
    throw new CliError('illegal_arguments', `${source} is not UTF-8. Save it as UTF-8.`, { cause: error });
  }
}

async function readArguments({ args, argsFile }: CallOptions, io: Io): Promise<unknown> {
  const isStdin = args === '-' || argsFile === '-';
  const source = isStdin ? 'standard input' : argsFile === undefined ? '--args' : resolve(io.cwd, argsFile);
  let text = args ?? '{}';
  if (isStdin) text = await readAll(source, io.stdin());
  else if (argsFile !== undefined) text = await readAll(source, createReadStream(source));
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = oneLine(`${source} is not JSON${placeOf(error)}. Write it as {"order_id":"ORD-1234"}.`);
    throw new CliError('illegal_arguments', message, { cause: error });
  }
}

/** Where the text stops being JSON; the parser's own words repeat some of it. */
function placeOf(error: unknown): string {
  const [, position] = /at position (\d+)/.exec(reasonOf(error)) ?? [];
  return position === undefined ? '' : ` from character ${position} on`;
}

/** Who calls from here approves it too. */
const approving: Approver = ({ principalId }) => ({
  type: 'approve',
  ...(principalId === null ? {} : { by: principalId }),
});

function toText(key: string, answer: WireResult): string {
  if (!answer.isError) {
    const { result, content = [] } = answer;
    // Content alone stands for the result.
    const isAlone = result === null && content.length > 0;
    return plain(`${isAlone ? '' : toJsonText(result)}${toContentLines(content)}`);
  }
  const { code, message, retryable, detail, retryAfterMs } = answer.error;
  return plain(
    [
      `${key} answered ${code}: ${message}\n`,
      `  ${retryable ? 'the same call may succeed later' : 'the same call will not succeed'}\n`,
      ...(retryAfterMs === undefined ? [] : [`  wait ${retryAfterMs} ms\n`]),
      ...(detail === undefined ? [] : [`  detail ${JSON.stringify(detail)}\n`]),
      ...(code === 'approval_required' ? ['  to approve it yourself, call it with --approve\n'] : []),
    ].join(''),
  );
}

/**
 * Calls a tool and prints its answer; 1 when the answer is an error. A readable error goes to standard error,
 * as does progress where that is a terminal.
 *
 * @throws CliError `unknown_tool`, `unknown_version`, `illegal_arguments` or `unreadable_file`; the tool was
 * not called then.
 */
export async function call(toolkit: OpenToolkit, options: CallOptions, io: Io): Promise<number> {
  const { key } = findTool(toolkit, options.tool);
  const args = await readArguments(options, io);
  const onProgress = (update: ProgressUpdate) => io.stderr(`${oneLine(toProgressLine(update))}\n`);
  const listening = io.isTerminal === true ? { onProgress } : {};
  const approver = options.approve === true ? approving : undefined;
  const invoking = { principal: toPrincipal(options.as, options.scopes, 'cli'), approver, ...listening };
  const answer = toWire(await toolkit.invoke(key, args, invoking));
  if (options.json) io.stdout(`${JSON.stringify(answer)}\n`);
  else if (answer.isError) io.stderr(toText(key, answer));
  else io.stdout(toText(key, answer));
  return answer.isError ? 1 : 0;
}
