/**
 * A tool as the model sees it.
 * Invariant: a definition is pure JSON, the same every time, and holds the very schemas that are enforced.
 */
import { IsEmail, IsInt, IsString } from 'class-validator';
import {
  describe as describeTool,
  inputContract,
  outputContract,
  type SideEffectDeclaration,
} from 'toolcrib';
import { makeSpec } from '../fixtures/hand-made-spec';
import { expectSound } from '../fixtures/strict-schema';

class Input {
  @IsString() reference!: string;
  @IsEmail() mail!: string;
}
class Output {
  @IsInt() total!: number;
}

const input = inputContract(Input);
const output = outputContract({ kind: 'class', cls: Output });

function effect(kind: SideEffectDeclaration['kind'], idempotent = false, openWorld = false) {
  return { sideEffect: { kind, idempotent, openWorld, declared: true } };
}

const HINTS = [
  ['none', effect('none'), [true, false, true, false]],
  ['none, open world', effect('none', false, true), [true, false, true, true]],
  ['write', effect('write'), [false, false, false, false]],
  ['write, idempotent', effect('write', true), [false, false, true, false]],
  ['destructive', effect('destructive'), [false, true, false, false]],
  ['destructive, idempotent, open world', effect('destructive', true, true), [false, true, true, true]],
] as const;

describe('describe', () => {
  it.each(HINTS)('turns the side effect %s into hints', (_, overrides, expected) => {
    const [readOnlyHint, destructiveHint, idempotentHint, openWorldHint] = expected;
    expect(describeTool(makeSpec('orders.lookup', '1.0.0', overrides)).annotations).toEqual({
      readOnlyHint,
      destructiveHint,
      idempotentHint,
      openWorldHint,
    });
  });

  it('shows a bare tool with nothing that was not declared', () => {
    const spec = makeSpec('orders.lookup', '1.2.3', { scopes: undefined });
    const definition = describeTool(spec);
    expect(definition).toStrictEqual({
      name: 'orders_lookup',
      description: spec.description,
      inputSchema: spec.input.schema,
      annotations: {
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
      _meta: { key: 'orders.lookup@1.2.3', version: '1.2.3', scopes: null },
    });
    expect(definition).not.toHaveProperty('outputSchema');
  });

  it('shows everything that was declared, in one order', () => {
    const spec = makeSpec('orders.lookup', '1.2.3', {
      title: 'Look up',
      owner: 'Orders',
      scopes: ['orders:read'],
      deprecated: 'use orders.find',
      input,
      output,
    });
    const definition = describeTool(spec);
    expect(Object.keys(definition)).toEqual([
      'name',
      'title',
      'description',
      'inputSchema',
      'outputSchema',
      'annotations',
      '_meta',
    ]);
    expect(definition.title).toBe('Look up');
    expect(definition.annotations.title).toBe('Look up');
    expect(definition._meta).toEqual({
      key: 'orders.lookup@1.2.3',
      version: '1.2.3',
      owner: 'Orders',
      scopes: ['orders:read'],
      deprecated: 'use orders.find',
      validatorOnlyRules: [{ schemaPath: '#/properties/mail', rule: 'isEmail', text: expect.any(String) }],
    });
  });

  it('holds the very schemas that the contracts enforce', () => {
    const definition = describeTool(makeSpec('orders.lookup', '1.0.0', { input, output }));
    expect(definition.inputSchema).toBe(input.schema);
    expect(definition.outputSchema).toBe(output.schema);
    expectSound(definition.inputSchema);
  });

  it('tells of deprecation in the description, with what to use instead', () => {
    const current = describeTool(makeSpec('orders.lookup'));
    const old = describeTool(makeSpec('orders.lookup', '1.0.0', { deprecated: true }));
    const replaced = describeTool(makeSpec('orders.lookup', '1.0.0', { deprecated: 'use orders.find' }));
    expect(current._meta).not.toHaveProperty('deprecated');
    expect(old._meta.deprecated).toBe(true);
    expect(old.description).not.toBe(current.description);
    expect(old.description.startsWith(current.description)).toBe(true);
    expect(replaced.description).toContain('use orders.find');
  });

  it('keeps undecided scopes and no scopes apart', () => {
    const scopesOf = (scopes: readonly string[] | undefined) =>
      describeTool(makeSpec('orders.lookup', '1.0.0', { scopes }))._meta.scopes;
    expect([scopesOf(undefined), scopesOf([]), scopesOf(['a', 'b'])]).toEqual([null, [], ['a', 'b']]);
  });

  it('is pure frozen JSON, made once for a spec', () => {
    const spec = makeSpec('orders.lookup', '1.0.0', { input, output, title: 'Look up' });
    const definition = describeTool(spec);
    expect(JSON.parse(JSON.stringify(definition))).toStrictEqual(definition);
    expect(describeTool(spec)).toBe(definition);
    expect(JSON.stringify(describeTool({ ...spec }))).toBe(JSON.stringify(definition));
    for (const part of [definition, definition.annotations, definition._meta]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });
});
