/**
 * Outputs that class-transformer's decorators write, on the path that every call takes.
 * Invariant: what is hidden reaches neither caller nor log, and an output is written once, whatever interceptors do.
 */
import { Exclude, Expose, Transform } from 'class-transformer';
import { IsInt, IsString, Matches } from 'class-validator';
import { type Interceptor, type JsonValue, toWire } from 'toolcrib';
import { type RunHandler, toolkitRunning } from '../fixtures/recorded-toolkit';

const SECRET = 'hunter2-EXAMPLE';

class Account {
  @Expose({ name: 'account_id' }) @IsInt() id!: number;
  @Transform(({ value }) => `<${value}>`, { toPlainOnly: true }) @Matches(/^<[^<>]*>$/) name!: string;
  @Exclude() @IsString() passwordHash!: string;
}

class Faulty {
  @Transform(
    () => {
      throw new Error(SECRET);
    },
    { toPlainOnly: true },
  )
  @IsString()
  name = SECRET;
}

const ROW = { id: 7, name: 'Ann', passwordHash: SECRET };
const WRITTEN = { account_id: 7, name: '<Ann>' };

function running(handler: RunHandler, output: unknown, interceptors: readonly Interceptor[] = []) {
  return toolkitRunning(handler, { tool: output === undefined ? {} : { output }, interceptors });
}

const passing: Interceptor = { stage: 'resolve', run: (_, next) => next() };

describe('an output that is written by decorators', () => {
  it.each([
    ['alone', []],
    ['behind an interceptor', [passing]],
    ['behind several', [passing, { ...passing, stage: 'execute' as const }]],
  ])('is written once, %s', async (_, interceptors) => {
    for (const output of [ROW, Object.assign(new Account(), ROW)]) {
      const { run } = await running(() => output, Account, interceptors);
      expect(toWire(await run())).toEqual({ isError: false, result: WRITTEN });
      const list = await running(() => [output], [Account], interceptors);
      expect(toWire(await list.run())).toEqual({ isError: false, result: [WRITTEN] });
    }
  });

  it('that an interceptor changes is held to the written form, and not written anew', async () => {
    const answered = async (result: JsonValue) => {
      const answering: Interceptor = { stage: 'authorise', run: async () => ({ success: true, result }) };
      return (await running(() => ROW, Account, [answering])).run();
    };
    const changed = { ...WRITTEN, name: '<Bob>' };
    expect(await answered(changed)).toEqual({ success: true, result: changed });
    const refused = await answered(ROW);
    expect(refused).toMatchObject({ success: false, error: { code: 'invalid_output' } });
    expect(JSON.stringify(refused)).not.toContain(SECRET);
  });

  it('is advertised as it is written', async () => {
    const { toolkit } = await running(() => ROW, Account);
    const { outputSchema } = toolkit.describe('test.run');
    expect(Object.keys(Object(outputSchema?.properties))).toEqual(['account_id', 'name']);
  });

  it('is written by the class of an instance where nothing was declared', async () => {
    const { run } = await running(() => ({ found: [Object.assign(new Account(), ROW)] }), undefined);
    expect(await run()).toEqual({ success: true, result: { found: [WRITTEN] } });
  });

  it('and whose conversion throws names the place, and tells the log alone why', async () => {
    const { run, log } = await toolkitRunning(() => new Faulty(), {
      kind: 'write',
      tool: { output: Faulty },
    });
    const result = await run();
    expect(result).toMatchObject({
      success: false,
      error: {
        code: 'invalid_output',
        message: expect.stringContaining('The action was carried out'),
        detail: { violations: [{ path: '/name', rule: 'transform' }] },
      },
    });
    expect(JSON.stringify(result)).not.toContain(SECRET);
    expect(log).toMatchObject([
      {
        level: 'error',
        fields: { error: { type: 'invalid_output', cause: { message: expect.any(String) } } },
      },
    ]);
    expect(JSON.stringify(log)).toContain(SECRET);
  });
});
