/**
 * Closing a toolkit.
 * Invariant: after `close` no call begins, and it settles only when every call that had begun has ended.
 */
import { BaseTool, createToolkit, NoInput, Scopes, SideEffect, Tool } from 'toolcrib';
import { toolkitRunning } from '../fixtures/recorded-toolkit';

const UNAVAILABLE = { success: false, error: { code: 'unavailable', retryable: false } };

/** Lets every promise that is ready go on. */
const turn = () => new Promise(setImmediate);

@Tool({ name: 'test.own', version: '1.0.0', description: 'Answers.', input: NoInput })
@Scopes()
@SideEffect('none')
class OwnTool extends BaseTool<NoInput, string> {
  execute(): string {
    return 'done';
  }
}

it('makes every later call unavailable, without running anything', async () => {
  const handler = jest.fn(() => 'done');
  const reached = jest.fn();
  const { run, toolkit } = await toolkitRunning(handler, {
    interceptors: [
      {
        stage: 'resolve',
        run: (_call, next) => {
          reached();
          return next();
        },
      },
    ],
  });
  await toolkit.close();
  expect(await run()).toMatchObject(UNAVAILABLE);
  expect(await toolkit.invoke('test.unknown', {})).toMatchObject(UNAVAILABLE);
  expect(handler).not.toHaveBeenCalled();
  expect(reached).not.toHaveBeenCalled();
});

it('waits for every running call, and they are answered as if nothing had happened', async () => {
  const releases: ((value: number) => void)[] = [];
  const { run, toolkit } = await toolkitRunning(() => new Promise((resolve) => releases.push(resolve)));
  const answers = [run(), run()];
  await turn();
  expect(releases).toHaveLength(2);
  let closed = false;
  const closing = toolkit.close().then(() => {
    closed = true;
  });
  expect(await run()).toMatchObject(UNAVAILABLE);
  releases[0]?.(1);
  await turn();
  expect(closed).toBe(false);
  releases[1]?.(2);
  await closing;
  expect(await Promise.all(answers)).toEqual([
    { success: true, result: 1 },
    { success: true, result: 2 },
  ]);
});

it('does not reject when a running call pauses', async () => {
  const pause = new Error('pause');
  const { run, toolkit } = await toolkitRunning(() => Promise.reject(pause));
  const answer = run({}, { isPause: () => true });
  const closing = toolkit.close();
  await expect(answer).rejects.toBe(pause);
  await expect(closing).resolves.toBeUndefined();
});

it('may be done twice, and before any call', async () => {
  const { toolkit } = await toolkitRunning(() => 'done');
  await toolkit.close();
  await expect(toolkit.close()).resolves.toBeUndefined();
});

it('leaves descriptions and catalog readable', async () => {
  const { toolkit } = await toolkitRunning(() => 'done');
  await toolkit.close();
  expect(toolkit.describe('test.run').name).toBe('test_run');
  expect(toolkit.catalog()).toHaveLength(1);
});

it('closes the tools that the toolkit discovered too', async () => {
  const tool = new OwnTool();
  const toolkit = await createToolkit({ discover: { instances: [tool] } });
  expect(await tool.invoke({})).toEqual({ success: true, result: 'done' });
  await toolkit.close();
  expect(await tool.invoke({})).toMatchObject(UNAVAILABLE);
});
