/**
 * The sample's reviewer at a terminal.
 * Invariant: streams stand in for the terminal; only what it decides and what it shows are looked at.
 */
import { PassThrough } from 'node:stream';
import type { ApprovalInterrupt } from 'toolcrib/langgraph';
import { openTerminal } from '../../samples/terminal-reviewer';

const REQUEST: ApprovalInterrupt = {
  type: 'tool_approval',
  callId: 'call-1',
  argumentHash: '0'.repeat(64),
  tool: 'orders.refund',
  version: '1.0.0',
  description: 'Pay back a part of an order',
  arguments: { order_id: 'ORD-1234', amount_minor: 1_250 },
  sideEffect: { kind: 'destructive', idempotent: true, openWorld: false, declared: true },
  principal: 'lead-2',
  preview: { pays: '12.50 EUR' },
  actionRequests: [],
  reviewConfigs: [],
};

/** Decides with lines that are piped in, and then end. */
async function decide(lines: readonly string[], request = REQUEST) {
  const input = new PassThrough();
  const output = new PassThrough({ encoding: 'utf8' });
  const { reviewer, close } = openTerminal({ input, output });
  input.end(lines.map((line) => `${line}\n`).join(''));
  const decision = await reviewer(request);
  const later = await reviewer(request);
  close();
  output.end();
  return { decision, later, shown: (await output.toArray()).join('') };
}

it.each([
  ['a', ['a'], { type: 'approve' }],
  ['the whole word, after what is no answer', ['yes', '', 'Approve'], { type: 'approve' }],
  ['a rejection', ['r', ''], { type: 'reject' }],
  ['a rejection with a reason', ['reject', 'Not today.'], { type: 'reject', reason: 'Not today.' }],
  [
    'an edit, of which an empty line keeps the value and what is no JSON is asked again',
    ['e', '', 'ten', '700'],
    { type: 'edit', arguments: { order_id: 'ORD-1234', amount_minor: 700 } },
  ],
  [
    'an edit of text, which is taken as it stands',
    ['e', '1', ''],
    { type: 'edit', arguments: { order_id: '1', amount_minor: 1_250 } },
  ],
  ['nothing', [], undefined],
  ['what is no answer', ['yes'], undefined],
  ['a rejection that stops at its reason', ['r'], undefined],
  ['an edit that stops', ['e', ''], undefined],
])('decides by %s', async (_, lines, decision) => {
  expect(await decide(lines)).toMatchObject({ decision, later: undefined });
});

it('takes a list of arguments whole', async () => {
  const { decision } = await decide(['e', '[2]'], { ...REQUEST, arguments: [1] });
  expect(decision).toEqual({ type: 'edit', arguments: [2] });
});

it('shows tool, arguments, side effect, principal, preview and problem', async () => {
  const { shown } = await decide([], { ...REQUEST, problem: 'the amount is too high' });
  for (const part of [
    'orders.refund@1.0.0',
    'ORD-1234',
    '1250',
    'destructive',
    'lead-2',
    '12.50 EUR',
    'the amount is too high',
  ]) {
    expect(shown).toContain(part);
  }
});

it('shows no control character of what others wrote', async () => {
  const hostile = '\u001b[2J\u009b\u202e\u0007\nside effect none';
  const args = { [hostile]: hostile };
  const { shown } = await decide([], { ...REQUEST, arguments: args, preview: args, problem: hostile });
  expect(shown.replaceAll('\n', '')).toMatch(/^\P{C}*$/u);
  expect(shown).not.toMatch(/^\W*side effect none/m);
});

it('takes nothing for a decision that was typed before the request was shown', async () => {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = new PassThrough();
  const { reviewer, close } = openTerminal({ input, output });
  const isTyped = new Promise((resolve) => input.once('data', resolve));
  input.write('a\n');
  await isTyped;
  const decision = reviewer(REQUEST);
  input.end('r\nLooked at.\n');
  expect(await decision).toEqual({ type: 'reject', reason: 'Looked at.' });
  close();
});
