/**
 * Questions of handlers to the person at an MCP client.
 * Invariant: whatever a client sends back, a handler gets answers that its model accepts, given for its own call.
 */
import { IsArray, IsEmail, IsIn, IsInt, IsOptional, IsString, Max, Min, MinLength } from 'class-validator';
import * as fc from 'fast-check';
import { type JsonValue, type RequestInputOptions, type ToolContext } from 'toolcrib';
import { createMcpHandler, type McpHandlerOptions } from 'toolcrib/mcp';
import { SqliteLedger } from 'toolcrib/stores/sqlite';
import { clientOf, envelopeOf, type RawCall, rawCall, userOf } from '../fixtures/asking-client';
import { forAllAwaited } from '../fixtures/for-all';
import { type RecordedOptions, type RunHandler, toolkitRunning } from '../fixtures/recorded-toolkit';
import { emptyFile } from '../stores/databases';

class Seat {
  @IsInt() @Min(1) @Max(40) row!: number;
  @IsIn(['aisle', 'window']) side!: string;
}

class Meal {
  @IsString() @MinLength(2) dish!: string;
  @IsOptional() @IsArray() @IsIn(['nuts', 'milk'], { each: true }) without?: string[];
}

class Contact {
  @IsEmail() email!: string;
}

const KEY = 'k'.repeat(32);
const seat = { action: 'accept', content: { row: 12, side: 'aisle' } } as const;
const meal = { action: 'accept', content: { dish: 'soup' } } as const;

async function serving(handler: RunHandler, options: RecordedOptions = {}, served: McpHandlerOptions = {}) {
  const { toolkit, log } = await toolkitRunning(handler, options);
  return { log, handler: createMcpHandler(toolkit, { principal: userOf, requestStateKey: KEY, ...served }) };
}

function asking(context: ToolContext, question: Partial<RequestInputOptions> = {}) {
  return context.requestInput(Seat, { message: 'Which seat?', ...question });
}

/** Asks two questions, one after the other. */
const asksTwice: RunHandler = async (_, context) => {
  const where = await asking(context);
  if (where?.action !== 'accept') return { where: where?.action ?? 'nobody' };
  const what = await context.requestInput(Meal, {
    message: `Which meal in row ${where.content.row}?`,
    key: 'meal',
  });
  return { row: where.content.row, dish: what?.action === 'accept' ? what.content.dish : null };
};

describe('requestInput over MCP', () => {
  it('asks a client of 2026-07-28, and goes on with its answers', async () => {
    const { handler } = await serving(asksTwice);
    const asked: string[] = [];
    const client = await clientOf(handler, ({ message }) => {
      asked.push(message);
      return message.includes('seat') ? seat : meal;
    });
    const { structuredContent } = await client.callTool({ name: 'test_run', arguments: {} });
    expect(structuredContent).toEqual({ row: 12, dish: 'soup' });
    expect(asked).toEqual(['Which seat?', 'Which meal in row 12?']);
  });

  it('gives the handler an instance of its model', async () => {
    const { handler } = await serving(async (_, context) => {
      const answer = await asking(context);
      return answer?.action === 'accept' && answer.content instanceof Seat;
    });
    const client = await clientOf(handler, () => seat);
    expect((await client.callTool({ name: 'test_run', arguments: {} })).structuredContent).toBe(true);
  });

  it.each(['decline', 'cancel'] as const)('tells the handler of a %s', async (action) => {
    const { handler } = await serving(asksTwice);
    const client = await clientOf(handler, () => ({ action }));
    const { structuredContent } = await client.callTool({ name: 'test_run', arguments: {} });
    expect(structuredContent).toEqual({ where: action });
  });

  it.each([
    ['has not declared forms', undefined, 'auto'],
    ['is of 2025 and comes over HTTP', () => seat, 'legacy'],
  ] as const)('asks nobody where the client %s', async (_, answer, mode) => {
    const { handler } = await serving(asksTwice);
    const client = await clientOf(handler, answer, mode);
    const { structuredContent } = await client.callTool({ name: 'test_run', arguments: {} });
    expect(structuredContent).toEqual({ where: 'nobody' });
  });

  it.each([
    [{}, false],
    [{ elicitation: {} }, true],
    [{ elicitation: { form: {} } }, true],
    [{ elicitation: { url: {} } }, false],
    [{ elicitation: { url: {}, form: {} } }, true],
  ])('reads the capabilities %j', async (capabilities, isAsked) => {
    const { handler } = await serving(asksTwice);
    const { result } = await rawCall(handler, { capabilities });
    expect(result?.resultType === 'input_required').toBe(isAsked);
  });

  it('asks again with the problem, five times at most, and ignores what was not asked', async () => {
    const { handler } = await serving(asksTwice);
    const asked: string[] = [];
    const client = await clientOf(handler, ({ message }) => {
      asked.push(message);
      return { action: 'accept', content: { row: 99, side: 'aisle' } };
    });
    const { structuredContent } = await client.callTool({ name: 'test_run', arguments: {} });
    expect(structuredContent).toEqual({ where: 'cancel' });
    expect(asked).toHaveLength(5);
    expect(asked[1]).toContain('row');
    const extras = await clientOf(handler, ({ message }) => {
      const content = message.includes('seat') ? seat.content : meal.content;
      return { action: 'accept', content: { ...content, admin: true } };
    });
    const taken = await extras.callTool({ name: 'test_run', arguments: {} });
    expect(taken.structuredContent).toEqual({ row: 12, dish: 'soup' });
  });

  it('puts questions that are asked at once into one request', async () => {
    const { handler } = await serving(async (_, context) => {
      const [one, other] = await Promise.all([
        asking(context, { key: 'there' }),
        asking(context, { key: 'back' }),
      ]);
      return [one, other].map((answer) => (answer?.action === 'accept' ? answer.content.row : null));
    });
    const first = await rawCall(handler, {});
    expect(Object.keys(first.result?.inputRequests ?? {})).toEqual(['there', 'back']);
    const back = { action: 'accept', content: { row: 3, side: 'window' } };
    const { requestState } = first.result ?? {};
    // One that is missing is asked again.
    const second = await rawCall(handler, { requestState, inputResponses: { there: seat, other: seat } });
    expect(Object.keys(second.result?.inputRequests ?? {})).toEqual(['back']);
    const last = await rawCall(handler, {
      requestState: second.result?.requestState,
      inputResponses: { back, there: back },
    });
    expect(last.result?.structuredContent).toEqual([12, 3]);
  });

  it('takes answers that a call begins with to questions with names, once, and asks for the rest', async () => {
    const { handler } = await serving(async (_, context) => {
      const answers = [await asking(context, { key: 'there' }), await asking(context)];
      return answers.map((answer) => (answer?.action === 'accept' ? answer.content.row : null));
    });
    const part = await rawCall(handler, { inputResponses: { there: seat, other: seat, 1: seat, 2: seat } });
    expect(Object.keys(part.result?.inputRequests ?? {})).toEqual(['2']);
    const { requestState } = part.result ?? {};
    const rest = await rawCall(handler, { requestState, inputResponses: { 2: seat } });
    expect(rest.result?.structuredContent).toEqual([12, 12]);
    const invalid = { action: 'accept', content: { row: 99, side: 'aisle' } };
    const again = await rawCall(handler, { inputResponses: { there: invalid } });
    expect(Object.keys(again.result?.inputRequests ?? {})).toEqual(['there']);
  });

  it('asks again for what is no answer', async () => {
    const { handler } = await serving(asksTwice);
    const { result: first } = await rawCall(handler, {});
    const { requestState } = first ?? {};
    for (const answer of [{}, { action: 'yes' }, { method: 'elicitation/create', result: seat }, []]) {
      const { result } = await rawCall(handler, { requestState, inputResponses: { 1: answer } });
      expect(Object.keys(result?.inputRequests ?? {})).toEqual(['1']);
    }
  });

  it('takes an answer only for the question that it was given to', async () => {
    let price = 10;
    const { handler } = await serving(async (_, context) => {
      const answer = await asking(context, { message: `Pay ${price}?` });
      return answer?.action ?? null;
    });
    const first = await rawCall(handler, {});
    price = 1_000;
    const again = await rawCall(handler, {
      requestState: first.result?.requestState,
      inputResponses: { 1: seat },
    });
    expect(again.result?.inputRequests?.[1]?.params.message).toBe('Pay 1000?');
  });

  it('keeps one call id, and carries a side effect out once, however often the last round comes', async () => {
    const ids = new Set<string>();
    const done: number[] = [];
    const { handler } = await serving(
      async (_, context) => {
        ids.add(context.callId);
        const answer = await asking(context);
        if (answer?.action !== 'accept') return 'nothing';
        done.push(answer.content.row);
        return 'booked';
      },
      { kind: 'write' },
    );
    const first = await rawCall(handler, {});
    const { requestState } = first.result ?? {};
    const last = { requestState, inputResponses: { 1: seat } };
    const answers = await Promise.all([rawCall(handler, last), rawCall(handler, last)]);
    answers.push(await rawCall(handler, last));
    const other = { action: 'accept', content: { row: 40, side: 'window' } };
    answers.push(await rawCall(handler, { requestState, inputResponses: { 1: other } }));
    expect(answers.map(({ result }) => result?.structuredContent)).toEqual(Array(4).fill('booked'));
    expect(done).toEqual([12]);
    expect(ids.size).toBe(1);
  });

  it('finishes in another process what one has begun, with one key and one ledger', async () => {
    const { at: file, remove } = await emptyFile();
    const open = () => SqliteLedger.open({ file, migrate: true });
    const ledgers = [await open(), await open()] as const;
    const done: string[] = [];
    const asks: RunHandler = async (_, context) => {
      const answer = await asksTwice({}, context);
      done.push(JSON.stringify(answer));
      return answer;
    };
    const processes = [
      (await serving(asks, { kind: 'write', ledger: ledgers[0] })).handler,
      (await serving(asks, { kind: 'write', ledger: ledgers[1] })).handler,
    ] as const;
    let turn = 0;
    const served = { fetch: (request: Request) => processes[turn++ % 2 === 0 ? 0 : 1].fetch(request) };
    const client = await clientOf(served, ({ message }) => (message.includes('seat') ? seat : meal));
    const { structuredContent } = await client.callTool({ name: 'test_run', arguments: { id: 1 } });
    expect(structuredContent).toEqual({ row: 12, dish: 'soup' });
    expect(done).toHaveLength(1);
    const entries = await ledgers[1].list({ state: 'finished' });
    expect(entries).toHaveLength(1);
    await Promise.all(ledgers.map((ledger) => ledger.close()));
    await remove();
  });

  it('says what is wrong with a model that no form can show, and asks nobody', async () => {
    class Nested {
      @IsArray() @IsString({ each: true }) tags!: string[];
    }
    const { handler, log } = await serving(async (_, context) => {
      await context.requestInput(Nested, { message: 'Which tags?' });
    });
    const answer = await rawCall(handler, {});
    expect(envelopeOf(answer)).toMatchObject({ isError: true, error: { code: 'internal_error' } });
    expect(log.filter(({ level }) => level === 'error')).toHaveLength(1);
  });

  it('names the format of a field', async () => {
    const { handler } = await serving(async (_, context) => {
      await context.requestInput(Contact, { message: 'Whom?', key: 'contact' });
    });
    const { result } = await rawCall(handler, {});
    expect(result?.inputRequests?.contact).toMatchObject({
      method: 'elicitation/create',
      params: {
        requestedSchema: {
          type: 'object',
          properties: { email: { type: 'string', format: 'email' } },
          required: ['email'],
        },
      },
    });
  });
});

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
      200,
    );
    for (const { row, side } of seen as { row: number; side: string }[]) {
      expect(Number.isInteger(row) && row >= 1 && row <= 40 && ['aisle', 'window'].includes(side)).toBe(true);
    }
    expect(seen.length).toBeGreaterThan(0);
  });
});
