/**
 * `compensation`: the tool that takes an action back, from its declaration to the ledger.
 * Invariant: it is a name only; no tool is called by it.
 */
import {
  BaseTool,
  type Class,
  createToolkit,
  DeclarationError,
  NoInput,
  Scopes,
  SideEffect,
  Tool,
} from 'toolcrib';
import { makeSpec } from './fixtures/hand-made-spec';
import { recordingLogger } from './fixtures/recorded-toolkit';
import { declareTool } from './fixtures/untyped-declarations';

const logger = recordingLogger([]);

function toolOf(name: string, options: object = {}, kind: 'none' | 'write' = 'write'): Class {
  class Made {
    execute(): string {
      return name;
    }
  }
  Scopes()(Made);
  SideEffect(kind)(Made);
  return declareTool({ name, version: '1.0.0', description: 'Does what it is named for.', ...options }, Made);
}

const cancel = toolOf('orders.cancel', { compensation: 'orders.reopen' });
const reopen = toolOf('orders.reopen');

function toolkitOf(...classes: readonly Class[]) {
  return createToolkit({ discover: { classes }, logger });
}

async function problemsOf(making: Promise<unknown>) {
  const error: unknown = await making.catch((thrown: unknown) => thrown);
  return error instanceof DeclarationError ? error.problems.map(({ code, place }) => [code, place.tool]) : [];
}

it('is recorded with the action, and shown nowhere to the model', async () => {
  const toolkit = await toolkitOf(cancel, reopen);
  await toolkit.invoke('orders.cancel', {});
  await toolkit.invoke('orders.reopen', {});
  const entries = (await toolkit.ledger?.list()) ?? [];
  expect(entries.map(({ tool, compensation }) => [tool, compensation])).toEqual([
    ['orders.cancel@1.0.0', 'orders.reopen'],
    ['orders.reopen@1.0.0', undefined],
  ]);
  expect(JSON.stringify(toolkit.describe('orders.cancel'))).not.toContain('reopen');
});

it('names a tool that there is', async () => {
  expect(await problemsOf(toolkitOf(cancel))).toEqual([['unknown_tool', 'orders.cancel@1.0.0']]);
  expect(await problemsOf(toolkitOf(reopen, cancel))).toEqual([]);
});

it('is reported with what else is wrong, and not for tools that are not sound', async () => {
  const unsound = toolOf('orders.reopen', { timeoutMs: 0 });
  expect(await problemsOf(toolkitOf(cancel, unsound))).toEqual([['illegal_option', 'orders.reopen']]);
  const twins = [toolOf('orders.list'), toolOf('orders.list')];
  expect(await problemsOf(toolkitOf(cancel, ...twins))).toEqual([
    ['duplicate_key', 'orders.list@1.0.0'],
    ['unknown_tool', 'orders.cancel@1.0.0'],
  ]);
});

it.each([
  ['no text', { compensation: 5 }],
  ['an empty text', { compensation: '' }],
])('is refused as %s', async (_case, options) => {
  expect(await problemsOf(toolkitOf(toolOf('orders.cancel', options)))).toEqual([
    ['illegal_option', 'orders.cancel'],
  ]);
});

it('is refused on a tool that does nothing to the world', async () => {
  const reading = toolOf('orders.list', { compensation: 'orders.reopen' }, 'none');
  expect(await problemsOf(toolkitOf(reading, reopen))).toEqual([['illegal_option', 'orders.list']]);
});

it('keeps the tool that it names in the registry', async () => {
  const { registry } = await toolkitOf(cancel, reopen);
  const remove = () => registry.update((draft) => draft.remove('orders.reopen@1.0.0'));
  expect(remove).toThrow(DeclarationError);
  registry.update((draft) => {
    draft.remove('orders.reopen@1.0.0');
    draft.register(makeSpec('orders.reopen', '2.0.0'));
  });
  expect(registry.versions('orders.reopen')).toEqual(['2.0.0']);
});

it('is no reason for a tool that is called on its own to fail', async () => {
  @Tool({
    name: 'orders.cancel',
    version: '1.0.0',
    description: 'Cancel an order',
    input: NoInput,
    compensation: 'orders.reopen',
  })
  @Scopes()
  @SideEffect('write')
  class Alone extends BaseTool<NoInput, string> {
    execute(): string {
      return 'cancelled';
    }
  }
  expect(await new Alone().invoke({})).toEqual({ success: true, result: 'cancelled' });
});
