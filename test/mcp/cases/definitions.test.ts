/**
 * The cases of definitions, MCP-04 and MCP-10, and MCP-03 where tools are concealed.
 * Invariant: what a client is shown it can take, and says what the declaration says.
 */
import {
  type Class,
  createToolkit,
  DeclarationError,
  inputContract,
  isDeclarationError,
  NoInput,
  Scopes,
  SideEffect,
  schemaInputContract,
  type Toolkit,
  type ToolSpec,
} from 'toolcrib';
import { createMcpHandler, type McpHandler } from 'toolcrib/mcp';
import { makeSpec } from '../../fixtures/hand-made-spec';
import { connectInProcess } from '../../fixtures/mcp/in-process';
import { type LogEntry, recordingLogger } from '../../fixtures/recorded-toolkit';
import { declareTool } from '../../fixtures/untyped-declarations';

/** A tool whose arguments are no object, which every client refuses, together with the list that it is in. */
const rootless = makeSpec('bad.rootless', '1.0.0', {
  input: { ...inputContract(NoInput), schema: { type: 'string' } },
});

/** A tool with a header that clients of 2026-07-28 must refuse. */
const misheaded = makeSpec('bad.header', '1.0.0', {
  input: schemaInputContract({
    type: 'object',
    properties: { size: { type: 'number', 'x-mcp-header': 'Size' } },
  }),
});

async function toolkitOf(log: LogEntry[], ...specs: readonly ToolSpec[]): Promise<Toolkit> {
  const toolkit = await createToolkit({ discover: {}, logger: recordingLogger(log) });
  toolkit.registry.update((draft) => {
    for (const spec of specs) draft.register(spec);
  });
  return toolkit;
}

async function namesOf(handler: McpHandler, isModern: boolean): Promise<readonly string[]> {
  const client = await connectInProcess(handler, isModern);
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
}

describe('MCP-04: one tool that clients could not take', () => {
  it('keeps the server from starting, and is named', async () => {
    const toolkit = await toolkitOf([], makeSpec('good.tool'), rootless, misheaded);
    let thrown: unknown;
    try {
      createMcpHandler(toolkit);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(DeclarationError);
    const problems = isDeclarationError(thrown) ? thrown.problems : [];
    expect(problems.map(({ code, place }) => [code, place.tool])).toEqual([
      ['illegal_schema', 'bad.header@1.0.0'],
      ['illegal_schema', 'bad.rootless@1.0.0'],
    ]);
  });

  it.each([true, false])('that comes later is left out alone, and logged (modern: %s)', async (isModern) => {
    const log: LogEntry[] = [];
    const toolkit = await toolkitOf(log, makeSpec('good.tool'));
    const handler = createMcpHandler(toolkit);
    toolkit.registry.update((draft) => {
      for (const spec of [rootless, misheaded, makeSpec('good.other')]) draft.register(spec);
    });
    expect(await namesOf(handler, isModern)).toEqual(['good_other', 'good_tool']);
    const errors = log.filter(({ level }) => level === 'error').map(({ fields }) => Object(fields).tool);
    expect(errors.toSorted()).toEqual(['bad.header@1.0.0', 'bad.rootless@1.0.0']);
    const client = await connectInProcess(handler, isModern);
    await expect(client.callTool({ name: 'bad_rootless' })).rejects.toMatchObject({ code: -32602 });
    await client.close();
    await handler.close();
  });
});

describe('MCP-10: what a tool does to the world, as hints', () => {
  function tool(name: string, ...decorators: readonly ((target: Class) => void)[]): Class {
    class Hinted {
      execute(): object {
        return {};
      }
    }
    Scopes()(Hinted);
    for (const decorate of decorators) decorate(Hinted);
    return declareTool({ name, version: '1.0.0', description: 'Does something.' }, Hinted);
  }

  const TABLE = [
    ['a.none', [SideEffect('none')], [true, false, true, false]],
    ['b.none_outside', [SideEffect('none', { openWorld: true })], [true, false, true, true]],
    ['c.write', [SideEffect('write')], [false, false, false, false]],
    ['d.write_again', [SideEffect('write', { idempotent: true })], [false, false, true, false]],
    ['e.destructive', [SideEffect('destructive')], [false, true, false, false]],
    ['f.destructive_again', [SideEffect('destructive', { idempotent: true })], [false, true, true, false]],
    ['g.outside', [SideEffect('write', { openWorld: true })], [false, false, false, true]],
    ['h.undeclared', [], [false, true, false, true]],
  ] as const;

  it.each([true, false])('says every hint, as a boolean (modern: %s)', async (isModern) => {
    const classes = TABLE.map(([name, decorators]) => tool(name, ...decorators));
    const toolkit = await createToolkit({ discover: { classes }, logger: recordingLogger([]) });
    const handler = createMcpHandler(toolkit);
    const client = await connectInProcess(handler, isModern);
    const { tools } = await client.listTools();
    await client.close();
    await handler.close();
    const told = tools.map(({ name, annotations: hints }) => [
      name,
      [hints?.readOnlyHint, hints?.destructiveHint, hints?.idempotentHint, hints?.openWorldHint],
    ]);
    expect(told).toEqual(TABLE.map(([name, , hints]) => [name.replace('.', '_'), hints]));
  });
});

describe('MCP-03: a tool that is concealed', () => {
  it.each([true, false])('is told apart from none by nothing (modern: %s)', async (isModern) => {
    const secret = makeSpec('a.secret', '1.0.0', { scopes: ['secret'] });
    const toolkit = await toolkitOf([], secret, makeSpec('b.open'));
    const handler = createMcpHandler(toolkit, { concealTools: true });
    const client = await connectInProcess(handler, isModern);
    const failures = await Promise.all(
      ['a_secret', 'x_secret'].map((name) => client.callTool({ name }).catch((error: unknown) => error)),
    );
    const told = failures.map((error) => {
      const { code, message, data } = Object(error);
      return { code, message: message.replace(/[ax]_secret/, ''), data };
    });
    expect(told[0]).toEqual(told[1]);
    expect(told[0]?.code).toBe(-32602);
    await client.close();
    await handler.close();
  });
});
