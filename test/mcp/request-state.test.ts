/**
 * The state that travels through MCP clients while a call asks.
 * Invariant: a state is taken as it was made, in time, for its own call; no other changes what a call does.
 */
import * as fc from 'fast-check';
import type { JsonValue } from 'toolcrib';
import { createMcpHandler } from 'toolcrib/mcp';
import { envelopeOf, type RawCall, rawCall, userOf } from '../fixtures/asking-client';
import { forAllAwaited } from '../fixtures/for-all';
import { type RecordedOptions, toolkitRunning } from '../fixtures/recorded-toolkit';
import { asking, asksTwice, KEY, seat, serving } from '../fixtures/seat-questions';

describe('the state of a call that asks', () => {
  const refused = { error: { code: -32602, data: { reason: 'invalid_request_state' } } };

  async function begun(options: RecordedOptions = {}) {
    const { handler } = await serving(asksTwice, options);
    const first = await rawCall(handler, { arguments: { id: 1, note: 'a' } });
    const round = { arguments: { note: 'a', id: 1 }, inputResponses: { 1: seat } };
    return { handler, state: first.result?.requestState ?? '', round };
  }

  it('is taken whole, and with its arguments in any order', async () => {
    const { handler, state, round } = await begun();
    const { result } = await rawCall(handler, { ...round, requestState: state });
    expect(Object.keys(result?.inputRequests ?? {})).toEqual(['meal']);
  });

  it('is refused where any of its characters is another, is missing or is one too many', async () => {
    const { handler, state, round } = await begun();
    const characters = fc.constantFrom(...'ABCabc019-_.'.split(''), 'é');
    const changed = fc
      .tuple(fc.nat(state.length - 1), characters, fc.constantFrom('replace', 'insert', 'delete'))
      .map(([at, character, how]) => {
        const rest = state.slice(how === 'insert' ? at : at + 1);
        return `${state.slice(0, at)}${how === 'delete' ? '' : character}${rest}`;
      })
      // The last character of base64url holds bits that say nothing.
      .filter((other) => other !== state && other.slice(0, -1) !== state.slice(0, -1));
    await forAllAwaited(
      changed,
      async (requestState) => {
        expect(await rawCall(handler, { ...round, requestState })).toMatchObject(refused);
      },
      60,
    );
  });

  it('is refused at every position', async () => {
    const { handler, state, round } = await begun();
    const answers = await Promise.all(
      [...state.slice(0, -1)].map((character, at) => {
        const requestState = `${state.slice(0, at)}${character === 'A' ? 'B' : 'A'}${state.slice(at + 1)}`;
        return rawCall(handler, { ...round, requestState });
      }),
    );
    expect(answers.filter(({ error }) => error?.code !== -32602)).toEqual([]);
  });

  it.each<[string, RawCall]>([
    ['principal', { user: 'bob' }],
    ['arguments', { arguments: { id: 2, note: 'a' } }],
    ['arguments, which are missing', { arguments: {} }],
  ])('is refused with other %s', async (_, other) => {
    const { handler, state, round } = await begun();
    expect(await rawCall(handler, { ...round, requestState: state, ...other })).toMatchObject(refused);
  });

  it('is refused for another tool or version, and under another key', async () => {
    const { state, round } = await begun();
    const newer = await serving(asksTwice, { tool: { version: '1.0.1' } });
    const otherKey = await serving(asksTwice, {}, { requestStateKey: new Uint8Array(32) });
    const random = {
      handler: createMcpHandler((await toolkitRunning(asksTwice)).toolkit, { principal: userOf }),
    };
    for (const { handler } of [newer, otherKey, random]) {
      expect(await rawCall(handler, { ...round, requestState: state })).toMatchObject(refused);
    }
  });

  it('expires after ten minutes', async () => {
    const { handler, state, round } = await begun();
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(now + 602_000);
    try {
      expect(await rawCall(handler, { ...round, requestState: state })).toMatchObject(refused);
      clock.mockReturnValue(now + 590_000);
      expect((await rawCall(handler, { ...round, requestState: state })).error).toBeUndefined();
    } finally {
      clock.mockRestore();
    }
  });

  it('is no authority: scopes are asked for in each round', async () => {
    let isHeld = true;
    const { toolkit } = await toolkitRunning(asksTwice, { toolScopes: ['test:run'] });
    const principal = () => ({ id: 'ann', scopes: isHeld ? ['test:run'] : [] });
    const handler = createMcpHandler(toolkit, { principal, requestStateKey: KEY });
    const first = await rawCall(handler, {});
    isHeld = false;
    const next = await rawCall(handler, {
      requestState: first.result?.requestState,
      inputResponses: { 1: seat },
    });
    expect(envelopeOf(next)).toMatchObject({ error: { code: 'insufficient_scope' } });
  });

  it('is signed by a key of at least 32 bytes', async () => {
    const { toolkit } = await toolkitRunning(() => null);
    for (const requestStateKey of ['k'.repeat(31), new Uint8Array(31), 32]) {
      const options: object = { requestStateKey };
      expect(() => createMcpHandler(toolkit, options)).toThrow(/requestStateKey/);
    }
    const long: readonly (string | Uint8Array)[] = ['ü'.repeat(16), new Uint8Array(32)];
    for (const requestStateKey of long) createMcpHandler(toolkit, { requestStateKey });
  });

  it('takes any answers, and never lets a handler see what its model refuses', async () => {
    const seen: JsonValue[] = [];
    const { handler } = await serving(async (_, context) => {
      const answer = await asking(context);
      if (answer?.action === 'accept') seen.push({ ...answer.content });
      return answer?.action ?? null;
    });
    const { result } = await rawCall(handler, {});
    const requestState = result?.requestState;
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom('aisle', 'window', 1, 40, 41));
    const content = fc.oneof(fc.jsonValue(), fc.record({ row: value, side: value }, { requiredKeys: [] }));
    const response = fc.oneof(fc.jsonValue(), fc.record({ action: fc.constant('accept'), content }));
    await forAllAwaited(
      response,
      async (one) => {
        const answer = await rawCall(handler, { requestState, inputResponses: { 1: one } });
        expect([undefined, -32602]).toContain(answer.error?.code);
      },
      100,
    );
    for (const { row, side } of seen as { row: number; side: string }[]) {
      expect(Number.isInteger(row) && row >= 1 && row <= 40 && ['aisle', 'window'].includes(side)).toBe(true);
    }
    expect(seen.length).toBeGreaterThan(0);
  });
});
