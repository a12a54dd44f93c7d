/**
 * Which toolkit a tool called on its own goes through, when several know its instance.
 * Invariant: the first open toolkit that discovered an instance has it; a private call never takes it away.
 */
import { BaseTool, createToolkit, type Interceptor, NoInput, Scopes, SideEffect, Tool } from 'toolcrib';

@Tool({ name: 'test.own', version: '1.0.0', description: 'Answers.', input: NoInput })
@Scopes()
@SideEffect('none')
class OwnTool extends BaseTool<NoInput, string> {
  execute(): string {
    return 'private';
  }
}

/** Answers in place of the handler, to tell one toolkit from another. */
function answering(result: string): Interceptor {
  return { stage: 'execute', run: async () => ({ success: true, result }) };
}

function discovering(tool: OwnTool, name: string) {
  return createToolkit({ discover: { instances: [tool] }, interceptors: [answering(name)] });
}

async function answerOf(tool: OwnTool): Promise<unknown> {
  const result = await tool.invoke({});
  return result.success ? result.result : result.error.code;
}

it('stays with the first open toolkit, however many discover it later', async () => {
  const tool = new OwnTool();
  await discovering(tool, 'first');
  for (const name of ['second', 'third']) {
    const later = await discovering(tool, name);
    expect(await answerOf(tool)).toBe('first');
    expect(await later.invoke(OwnTool, {})).toEqual({ success: true, result: name });
    await later.close();
    expect(await answerOf(tool)).toBe('first');
  }
});

it('goes to the next open toolkit that discovered it once the first is closed', async () => {
  const tool = new OwnTool();
  const first = await discovering(tool, 'first');
  await first.close();
  expect(await answerOf(tool)).toBe('unavailable');
  const next = await discovering(tool, 'next');
  expect(await answerOf(tool)).toBe('next');
  await discovering(tool, 'last');
  expect(await answerOf(tool)).toBe('next');
  await next.close();
  await discovering(tool, 'later');
  expect(await answerOf(tool)).toBe('last');
});

describe('a private call', () => {
  it('before does not keep a later toolkit from owning it', async () => {
    const tool = new OwnTool();
    expect(await answerOf(tool)).toBe('private');
    await discovering(tool, 'theirs');
    expect(await answerOf(tool)).toBe('theirs');
  });

  it('that still runs while a toolkit discovers it does not either', async () => {
    const tool = new OwnTool();
    const [answer] = await Promise.all([answerOf(tool), discovering(tool, 'theirs')]);
    expect(['private', 'theirs']).toContain(answer);
    expect(await answerOf(tool)).toBe('theirs');
  });

  it('that begins while a toolkit discovers it does not either', async () => {
    const tool = new OwnTool();
    const [, answer] = await Promise.all([discovering(tool, 'theirs'), answerOf(tool)]);
    expect(['private', 'theirs']).toContain(answer);
    expect(await answerOf(tool)).toBe('theirs');
  });
});
