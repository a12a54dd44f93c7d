/**
 * How secrets get into errors and logs: the words around them, and the shapes that carry the words.
 * Invariant: every shape is one that a handler can throw or log, and carries its text whole.
 */
import { type ToolContext, ToolError } from 'toolcrib';
import type { Secret } from './kind';
import type { Random } from './random';

/** What HTTP clients, drivers, shells and people write around a secret that its form tells. */
const SENTENCES: readonly string[] = [
  'Incorrect API key provided: {}. You can find your key in the settings.',
  'request failed with status 401 (key {})',
  'Invalid header value: "Bearer {}"',
  '{"error":{"message":"unauthorized","value":"{}"}}',
  "Error: spawn tool '--auth' '{}' ENOENT",
  'connect ETIMEDOUT; config was { region: \'eu\', value: "{}", retries: 3 }',
  'GET /v1/items?cursor=abc&auth={}&limit=10 -> 403',
  'Der Wert {} wurde abgelehnt.',
  '認証に失敗しました（{}）',
  "l'accès avec {} est refusé",
  '[2026-03-01T10:00:00Z] WARN worker 3: could not use <{}>',
  '{}',
  'first line\n{}\nlast line',
  'values: [1, 2, {}, 4]',
];

/** What a handler does with a text. */
export interface Shape {
  readonly name: string;
  run(text: string, context: ToolContext): never;
}

const broken = (message: string, cause?: unknown): Error => new Error(message, { cause });

/** The shapes in which a text leaves a handler. */
export const SHAPES: readonly Shape[] = [
  {
    name: 'message',
    run: (text) => {
      throw new Error(text);
    },
  },
  {
    name: 'long message',
    run: (text) => {
      // The secret stands where the message is cut for the model.
      throw new Error(`${'so it was. '.repeat(60).slice(0, 485 - (text.length % 40))} ${text}`);
    },
  },
  {
    name: "author's message",
    run: (text) => {
      throw new ToolError({ code: 'refused', message: text, retryable: false });
    },
  },
  {
    name: 'detail',
    run: (text) => {
      const detail = {
        at: 'step 3',
        list: [text, 7],
        deep: { deeper: { note: text } },
        [text.slice(0, 2_000)]: 1,
      };
      throw new ToolError({ code: 'refused', message: 'It was refused.', retryable: false, detail });
    },
  },
  {
    name: 'cause',
    run: (text) => {
      throw broken('the order was not saved', broken('the query failed', broken(text)));
    },
  },
  {
    name: 'parts',
    run: (text) => {
      throw new AggregateError(
        [broken('first'), broken('second', broken(text)), text],
        'all attempts failed',
      );
    },
  },
  {
    name: 'stack',
    run: (text) => {
      const error = new TypeError('cannot read properties');
      error.stack = `TypeError: ${text}\n    at load (/srv/app/dist/load.js:12:7)\n    at ${text} (/srv/app/x.js:1:1)`;
      throw error;
    },
  },
  {
    name: 'text',
    run: (text) => {
      throw text;
    },
  },
  {
    name: 'log',
    run: (text, { logger }) => {
      const error = Object.assign(broken(text), { config: { headers: [text] } });
      logger.warn(
        { request: { body: text }, seen: new Map([['it', new Set([text])]]), error },
        `tried ${text}`,
      );
      throw new Error('it did not work');
    },
  },
];

/** A secret in its words. */
export function inWords({ text, within }: Secret, random: Random): string {
  return random.pick(within ?? SENTENCES).replaceAll('{}', () => text);
}

/** A secret of which this many characters in a row are seen is seen. */
const SEEN = 8;

/** Whether a text shows a secret, or a good part of it. */
export function shows(text: string, { core }: Secret): boolean {
  if (core.length < 2 * SEEN) return text.includes(core);
  for (let at = 0; at + SEEN <= core.length; at += SEEN / 2) {
    const part = core.slice(at, at + SEEN);
    // The middle of `eyJhbGci…` and of padding says nothing.
    if (new Set(part).size > 3 && text.includes(part)) return true;
  }
  return false;
}
