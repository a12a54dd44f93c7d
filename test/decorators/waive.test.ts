/**
 * `@Waive` as an annotation: where it goes, and that it changes nothing but what `check` finds.
 * Invariant: each place has a fact of its own, frozen, and inherited by nothing.
 */
import { IsString, MaxLength } from 'class-validator';
import { describe as describeTool, discoverTools, Scopes, SideEffect, Tool, Waive } from 'toolcrib';
import { waiverFact } from '../../src/metadata/tool-facts';

class Plain {
  @IsString()
  @MaxLength(5)
  text!: string;
}

const reasons = { possibly_empty_string: 'It may be.' };

@Waive(reasons)
class Waived {
  @Waive(reasons)
  @IsString()
  @MaxLength(5)
  text!: string;
}

@Scopes()
@SideEffect('none')
class Service {
  @Tool({ name: 'a.plain', version: '1.0.0', description: 'One', input: Plain })
  plain(_: Plain): void {}

  @Tool({ name: 'a.waived', version: '1.0.0', description: 'One', input: Waived })
  @Waive(reasons)
  waived(_: Waived): void {}
}

describe('@Waive', () => {
  it.each([
    ['a class', { holder: Waived }],
    ['a property', { holder: Waived.prototype, member: 'text' }],
    ['a method', { holder: Service.prototype, member: 'waived' }],
  ])('writes its fact on %s, once and frozen', (_, target) => {
    expect(waiverFact.read(target)).toEqual(reasons);
    expect(Object.isFrozen(waiverFact.read(target))).toBe(true);
    expect(waiverFact.isRepeated(target)).toBe(false);
  });

  it('copies what it was given, anew for each place', () => {
    const [first, second] = [class {}, class {}];
    const given: Record<string, string> = { ...reasons };
    const waive = Waive(given);
    waive(first);
    waive(second);
    given.possibly_empty_string = 'changed';
    expect(waiverFact.read({ holder: first })).toEqual(reasons);
    expect(waiverFact.read({ holder: first })).not.toBe(waiverFact.read({ holder: second }));
  });

  it('is not inherited, and remembers a repetition', () => {
    class Heir extends Waived {}
    expect(waiverFact.read({ holder: Heir })).toBeUndefined();
    Waive(reasons)(Heir);
    Waive({ missing_owner: 'Nobody.' })(Heir);
    expect(waiverFact.read({ holder: Heir })).toEqual(reasons);
    expect(waiverFact.isRepeated({ holder: Heir })).toBe(true);
  });

  it('changes nothing that a model sees', async () => {
    const [plain, waived] = (await discoverTools({ classes: [Service] })).map(describeTool);
    expect(waived).toEqual({
      ...plain,
      name: 'a_waived',
      _meta: { ...plain?._meta, key: 'a.waived@1.0.0' },
    });
  });

  it('makes no tool of a class', async () => {
    await expect(discoverTools({ classes: [Waived] })).rejects.toMatchObject({
      problems: [{ code: 'not_a_tool' }],
    });
  });

  it('is refused where the compiler emits standard decorators', () => {
    const context: ClassFieldDecoratorContext | string = Object({ kind: 'field', name: 'text' });
    expect(() => Waive(reasons)(Object(undefined), context as string)).toThrow(TypeError);
  });

  it('is refused on an accessor', () => {
    const accessor = { get: () => 1, configurable: true };
    expect(() => Waive(reasons)(Waived.prototype, 'size', accessor)).toThrow(TypeError);
  });
});
