/**
 * A reviewer at a terminal: shows what a call would do, and asks.
 * Invariant: what a model or a user wrote is shown without a control character; input that ends has decided nothing.
 */
import { createInterface } from 'node:readline';
import type { ApprovalDecision, JsonValue } from 'toolcrib';
import type { ApprovalInterrupt } from 'toolcrib/langgraph';
import { isObject, type Reviewer } from './reviewer';

/** A terminal, or what stands in for one. */
export interface Streams {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
}

/** A terminal that decides. */
export interface Terminal {
  readonly reviewer: Reviewer;
  /** Lets go of the input, which keeps the process running. */
  close(): void;
}

/** Asks for one line; undefined: the input has ended. */
type Ask = (question: string) => Promise<string | undefined>;

const LABEL_WIDTH = 16;

/** Keeps control characters, and those that turn the direction of writing, from reaching the terminal. */
function printable(text: string): string {
  return text.replace(/\p{C}/gu, (found) => `\\u{${found.codePointAt(0)?.toString(16)}}`);
}

function row(label: string, text: string): string {
  return `  ${printable(label).padEnd(LABEL_WIDTH)}  ${printable(text)}`.trimEnd();
}

function rowsOf(value: JsonValue): string[] {
  if (!isObject(value)) return [row('', JSON.stringify(value))];
  return Object.entries(value).map(([name, one]) => row(`  ${name}`, JSON.stringify(one)));
}

function show(request: ApprovalInterrupt): string {
  const { tool, version, description, sideEffect, principal, preview, problem } = request;
  return [
    '',
    `  ${tool}@${version} asks for approval`,
    row('what it does', description),
    row('side effect', `${sideEffect.kind}${sideEffect.idempotent ? ', idempotent' : ''}`),
    row('called for', principal ?? 'nobody that is known'),
    row('arguments', ''),
    ...rowsOf(request.arguments),
    ...(preview === undefined ? [] : [row('preview', ''), ...rowsOf(preview)]),
    ...(problem === undefined ? [] : [row('problem', problem)]),
    '',
  ].join('\n');
}

/** What was typed as a value of the kind that stood there; undefined: it is none. */
function toValue(typed: string, before: JsonValue): JsonValue | undefined {
  if (typeof before === 'string') return typed;
  try {
    const value: JsonValue = JSON.parse(typed);
    return value;
  } catch {
    return undefined;
  }
}

async function askValue(ask: Ask, label: string, before: JsonValue): Promise<JsonValue | undefined> {
  for (;;) {
    const shown = typeof before === 'string' ? before : JSON.stringify(before);
    const typed = await ask(`${row(label, `[${shown}]`)} `);
    if (typed === undefined) return undefined;
    const value = typed === '' ? before : toValue(typed, before);
    if (value !== undefined) return value;
  }
}

async function askEdit(ask: Ask, args: JsonValue): Promise<ApprovalDecision | undefined> {
  if (!isObject(args)) {
    const edited = await askValue(ask, 'arguments', args);
    return edited === undefined ? undefined : { type: 'edit', arguments: edited };
  }
  const edited: Record<string, JsonValue> = {};
  for (const [name, before] of Object.entries(args)) {
    const value = await askValue(ask, `  ${name}`, before);
    if (value === undefined) return undefined;
    edited[name] = value;
  }
  return { type: 'edit', arguments: edited };
}

async function askDecision(ask: Ask, args: JsonValue): Promise<ApprovalDecision | undefined> {
  for (;;) {
    const typed = await ask('  [a]pprove, [e]dit or [r]eject? ');
    switch (typed?.toLowerCase()) {
      case undefined:
        return undefined;
      case 'a':
      case 'approve':
        return { type: 'approve' };
      case 'e':
      case 'edit':
        return askEdit(ask, args);
      case 'r':
      case 'reject': {
        const reason = await ask('  Why? The agent is told: ');
        if (reason === undefined) return undefined;
        return reason === '' ? { type: 'reject' } : { type: 'reject', reason };
      }
    }
  }
}

/** Opens the terminal. Ctrl-D, Ctrl-C and the end of piped input leave the request undecided. */
export function openTerminal(streams: Streams = { input: process.stdin, output: process.stdout }): Terminal {
  const { input, output } = streams;
  const lines = createInterface(streams);
  const typed: string[] = [];
  let isEnded = false;
  let wake = () => {};
  lines.on('line', (line) => {
    typed.push(line);
    wake();
  });
  lines.on('close', () => {
    isEnded = true;
    wake();
  });
  const ask: Ask = async (question) => {
    if (!isEnded) {
      lines.setPrompt(question);
      lines.prompt();
    }
    while (typed.length === 0 && !isEnded) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    const line = typed.shift();
    // A terminal has shown it already.
    if (input.isTTY !== true || line === undefined) output.write(`${line ?? ''}\n`);
    return line?.trim();
  };
  const reviewer: Reviewer = async (request) => {
    // What was typed before the request was shown is no decision on it; piped answers come all at once.
    if (input.isTTY === true) typed.length = 0;
    output.write(`${show(request)}\n`);
    const decision = await askDecision(ask, request.arguments);
    output.write('\n');
    return decision;
  };
  return { reviewer, close: () => lines.close() };
}
