/**
 * The order in which decorators are written.
 * Invariant: no order of the same decorators makes another tool.
 */
import * as fc from 'fast-check';
import { type Class, discoverTools, NoInput, Owner, Scopes, SideEffect, Tool, type ToolSpec } from 'toolcrib';
import { forAllAwaited } from '../fixtures/for-all';
import { applyToMethod, applyUntyped } from '../fixtures/untyped-declarations';

const options = {
  version: '1.0.0',
  description: 'd',
  title: 'T',
  timeoutMs: 5,
  input: NoInput,
  output: String,
};
const onClass: readonly unknown[] = [
  Tool({ ...options, name: 'order.class' }),
  Scopes('a:read', 'b:read'),
  SideEffect('write', { idempotent: true }),
  Owner('Crib'),
];

/** Everything of a spec that a declaration decides; contracts by their schemas. */
function declaredIn({ handler: _handler, declaredBy: _class, input, output, ...rest }: ToolSpec): unknown {
  return { ...rest, input: input.schema, output: output.schema };
}

async function specsOf(cls: Class): Promise<readonly unknown[]> {
  return (await discoverTools({ classes: [cls] })).map(declaredIn);
}

function makeClassTool(decorators: readonly unknown[]): Class {
  class ClassTool {
    execute(): string {
      return 'done';
    }
  }
  for (const decorate of decorators) applyUntyped(decorate, ClassTool);
  return ClassTool;
}

/** Applies the decorators of one method, then those of the other, then those of the class, as compilers do. */
function makeService(
  ofRead: readonly unknown[],
  ofWrite: readonly unknown[],
  ofClass: readonly unknown[],
): Class {
  class Service {
    read(): string {
      return 'read';
    }
    write(): string {
      return 'write';
    }
  }
  for (const decorate of ofRead) applyToMethod(decorate, Service, 'read');
  for (const decorate of ofWrite) applyToMethod(decorate, Service, 'write');
  for (const decorate of ofClass) applyUntyped(decorate, Service);
  return Service;
}

function anyOrder(decorators: readonly unknown[]): fc.Arbitrary<unknown[]> {
  return fc.shuffledSubarray([...decorators], { minLength: decorators.length });
}

describe('decorators in any order', () => {
  it('make the same class tool', async () => {
    const expected = await specsOf(makeClassTool(onClass));
    expect(expected).toMatchObject([{ scopes: ['a:read', 'b:read'], owner: 'Crib', timeoutMs: 5 }]);
    await forAllAwaited(anyOrder(onClass), async (decorators) => {
      expect(await specsOf(makeClassTool(decorators))).toEqual(expected);
    });
  });

  it('make the same service', async () => {
    const ofRead = [Tool({ ...options, name: 'order.read' }), SideEffect('none'), Scopes()];
    const ofWrite = [Tool({ ...options, name: 'order.write' }), SideEffect('destructive')];
    const ofService = [Owner('Crib'), Scopes('a:read'), SideEffect('write')];
    const expected = await specsOf(makeService(ofRead, ofWrite, ofService));
    expect(expected).toMatchObject([
      { name: 'order.read', scopes: [], sideEffect: { kind: 'none' }, owner: 'Crib' },
      { name: 'order.write', scopes: ['a:read'], sideEffect: { kind: 'destructive' }, owner: 'Crib' },
    ]);
    const orders = fc.tuple(anyOrder(ofRead), anyOrder(ofWrite), anyOrder(ofService));
    await forAllAwaited(orders, async (order) => {
      expect(await specsOf(makeService(...order))).toEqual(expected);
    });
  });
});
