/**
 * Questions of handlers to the person at an MCP client.
 * Invariant: whatever a client sends back, a handler gets answers that its model accepts, given for its own call.
 */
import { IsArray, IsEmail, IsString } from 'class-validator';
import { SqliteLedger } from 'toolcrib/stores/sqlite';
import { clientOf, envelopeOf, rawCall } from '../fixtures/asking-client';
import type { RunHandler } from '../fixtures/recorded-toolkit';
import { asking, asksTwice, meal, Seat, seat, serving } from '../fixtures/seat-questions';
import { emptyFile } from '../stores/databases';

class Contact {
  @IsEmail() email!: string;
}

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
