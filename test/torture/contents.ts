/**
 * Handlers that answer content of every bad kind, or tell progress as nobody should.
 * Invariant: each makes its answer anew, and each kind of progress leaves the call as it would have been.
 */
import { IsInt } from 'class-validator';
import { content, createToolkit, type ToolContext } from 'toolcrib';
import { silent, toToolClass } from '../fixtures/langgraph-tools';
import { afterDeadline, ending, type Misbehaviour, type Named } from './misbehaviour';

class CountOutput {
  @IsInt()
  count!: number;
}

const no = (): never => {
  throw new Error('hostile');
};

const png = { type: 'image', data: 'iVBORw==', mimeType: 'image/png' } as const;

/** Content of whatever an author without types may hand over. */
function contentOf(blocks: unknown, ...result: readonly unknown[]): unknown {
  return Reflect.apply(content, undefined, [blocks, ...result]);
}

function told({ progress }: ToolContext, ...updates: readonly unknown[]): string {
  for (const update of updates) Reflect.apply(progress, undefined, [update]);
  return 'told';
}

/** Content that another tool has answered. */
async function fromAnotherTool(): Promise<unknown> {
  const other = toToolClass('other.tool', () => content([png], { width: 7 }));
  const toolkit = await createToolkit({ discover: { classes: [other] }, logger: silent });
  const answer = await toolkit.invoke('other.tool', {});
  await toolkit.close();
  return answer.success ? contentOf(answer.content, answer.result) : null;
}

const badBlocks: readonly (readonly [name: string, make: () => unknown])[] = [
  ['of an unknown type', () => ({ type: 'video', data: 'AAAA', mimeType: 'video/mp4' })],
  ['of no base64', () => ({ ...png, data: 'hello world' })],
  ['of an empty image', () => ({ ...png, data: '' })],
  ['of huge bytes', () => ({ ...png, data: new Uint8Array(50_000_000) })],
  ['of a huge text', () => ({ type: 'text', text: 'x'.repeat(3_000_000) })],
  ['of an unknown member', () => ({ ...png, secret: 't0k-EXAMPLE' })],
  ['of a throwing getter', () => Object.defineProperty({ ...png }, 'data', { get: no, enumerable: true })],
  ['of a throwing toJSON', () => ({ type: 'text', text: { toJSON: no } })],
  ['of a proxy', () => new Proxy(png, { ownKeys: no, get: no, has: no })],
  ['of promised data', () => ({ ...png, data: Promise.reject(new Error('unread')) })],
  ['of content', () => content([png])],
  ['of a null', () => null],
];

const LISTS: readonly Named[] = [
  ['answers content of no list', () => contentOf('blocks')],
  ['answers content of nothing', () => contentOf(undefined)],
  [
    'answers content without end',
    () => contentOf(new Proxy([], { get: (_, key) => (key === 'length' ? 2 ** 32 : png) })),
  ],
  ['answers content with a BigInt for a result', () => contentOf([png], 1n)],
  ['answers content within a result', () => ({ picture: content([png]) })],
  ['answers content within content', () => contentOf([png], content([png]))],
  ['answers content alone for a DTO', () => content([png]), CountOutput],
  ['answers content with the wrong result for a DTO', () => contentOf([png], { count: 'x' }), CountOutput],
];

/** Every handler with bad content or bad progress, and some with good ones. */
export const CONTENTS: readonly Misbehaviour[] = [
  ...ending('invalid_output', [
    ...badBlocks.map(([name, make]) => [`answers content ${name}`, () => contentOf([png, make()])] as const),
    ...LISTS,
  ]),
  ...ending('done', [
    ['answers content', () => content([png])],
    ['answers content beside a DTO', () => content([png], { count: 3 }), CountOutput],
    ['answers content of another tool', fromAnotherTool],
    ['answers content of no blocks', () => content([])],
    ['answers what looks like content', () => ({ content: [{ type: 'text', text: 'x' }], isError: true })],
    [
      'changes its content afterwards',
      () => {
        const block = { type: 'text' as const, text: 'x' };
        setImmediate(() => Object.assign(block, { text: 1n }));
        return content([block]);
      },
    ],
    [
      'tells progress a hundred thousand times',
      (context) => {
        for (let step = 1; step <= 100_000; step += 1) context.progress({ progress: step });
        return 'told';
      },
    ],
    ['tells progress backwards', (context) => told(context, { progress: 2 }, { progress: 1 })],
    ['tells progress by a proxy', (context) => told(context, new Proxy({}, { get: no }), null, 'half')],
    [
      'tells progress after its answer',
      (context) => {
        afterDeadline(() => context.progress({ progress: 9 }));
        return 'told';
      },
    ],
  ]),
  ...ending('timeout', [
    [
      'tells progress after its deadline',
      (context) => {
        afterDeadline(() => context.progress({ progress: 9 }));
        return new Promise(() => {});
      },
    ],
  ]),
];
