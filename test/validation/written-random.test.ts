/**
 * Random DTOs under class-transformer's decorators, as outputs.
 * Invariant: what leaves fits the emitted schema, by an Ajv of the tests' own, and is what class-transformer writes of
 * the instance; a plain object of the same members gives the same.
 */
import { Exclude, Expose, instanceToPlain, Transform, Type } from 'class-transformer';
import { IsDate, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import fc from 'fast-check';
import { outputContract } from 'toolcrib';
import { type Decorators, type Dto, decorate, dtoOf } from '../fixtures/dto-with';
import { forAllAwaited } from '../fixtures/for-all';
import { compileStrictly } from '../fixtures/strict-schema';

const NAMES = ['a', 'b', 'c', 'd'];
const CHANGES = ['none', 'renamed', 'excluded', 'hiddenOut', 'exposed', 'converted'] as const;

type Change = (typeof CHANGES)[number];
type Kind = 'text' | 'count' | 'date' | 'one' | 'many';

interface Shape {
  readonly isClosed: boolean;
  readonly members: readonly { readonly kind: Kind; readonly change: Change; readonly isOptional: boolean }[];
  readonly within: Shape | undefined;
}

/** A class, and how an instance of it, or a plain object, is made. */
interface Sample {
  readonly cls: Dto;
  make(seed: number, form: 'instance' | 'plain'): object;
}

const memberOf = (kinds: readonly Kind[]) =>
  fc.record({
    kind: fc.constantFrom(...kinds),
    change: fc.constantFrom(...CHANGES),
    isOptional: fc.boolean(),
  });
const shapeOf = (kinds: readonly Kind[], within: fc.Arbitrary<Shape | undefined>): fc.Arbitrary<Shape> =>
  fc.record({
    isClosed: fc.boolean(),
    members: fc.array(memberOf(kinds), { minLength: 1, maxLength: NAMES.length }),
    within,
  });
const flat = shapeOf(['text', 'count', 'date'], fc.constant(undefined));
const shapes = shapeOf(['text', 'count', 'date', 'one', 'many'], flat);

const PLACES: Readonly<Record<Change, (name: string) => Decorators>> = {
  none: () => [],
  renamed: (name) => [Expose({ name: `${name}_out` })],
  excluded: () => [Exclude()],
  hiddenOut: () => [Exclude({ toPlainOnly: true })],
  exposed: () => [Expose()],
  converted: () => [Expose(), Transform(({ value }) => `<${JSON.stringify(value)}>`, { toPlainOnly: true })],
};

function rulesOf(kind: Kind, change: Change, within: Dto | undefined): Decorators {
  if (change === 'converted') return [IsString()];
  if (kind === 'date') return [IsDate(), Type(() => Date)];
  if (kind === 'text' || within === undefined) return kind === 'count' ? [IsInt()] : [IsString()];
  if (kind === 'count') return [IsInt()];
  return [ValidateNested(kind === 'many' ? { each: true } : {}), Type(() => within)];
}

function sampleOf({ isClosed, members, within }: Shape): Sample {
  const inner = within === undefined ? undefined : sampleOf(within);
  const cls = dtoOf({});
  if (isClosed) Exclude()(cls);
  for (const [index, { kind, change, isOptional }] of members.entries()) {
    const name = NAMES[index] ?? '';
    const rules = rulesOf(kind, change, inner?.cls);
    decorate(cls, name, [...(isOptional ? [IsOptional()] : []), ...rules, ...PLACES[change](name)]);
  }
  const make: Sample['make'] = (seed, form) => {
    const entries = members.flatMap(({ kind, isOptional }, index) => {
      if (isOptional && (seed + index) % 3 === 0) return [];
      const parts = [0, 1].map((one) => inner?.make(seed + one, form) ?? 'none');
      const values = { text: `t${seed}`, count: seed, date: new Date(seed), one: parts[0], many: parts };
      return [[NAMES[index] ?? '', values[kind]] as const];
    });
    const plain = Object.fromEntries(entries);
    return form === 'plain' ? plain : Object.assign(new cls(), plain);
  };
  return { cls, make };
}

it('leaves as class-transformer writes it, and as the schema says', async () => {
  let changed = 0;
  const claim = async ([shape, seed]: readonly [Shape, number]) => {
    const { cls, make } = sampleOf(shape);
    const contract = outputContract({ kind: 'class', cls });
    const instance = make(seed, 'instance');
    const expected: unknown = JSON.parse(JSON.stringify(instanceToPlain(instance)));
    if (JSON.stringify(instance) !== JSON.stringify(expected)) changed += 1;
    const outcome = await contract.parse(instance);
    expect(outcome).toEqual({ ok: true, value: expected });
    if (contract.schema === undefined || !outcome.ok) throw new Error('there is no schema, or no output');
    expect(compileStrictly(contract.schema)(outcome.value)).toBe(true);
    expect(await contract.parse(make(seed, 'plain'))).toEqual(outcome);
    expect(await contract.check(outcome.value)).toEqual(outcome);
  };
  await forAllAwaited(fc.tuple(shapes, fc.nat({ max: 1_000_000 })), claim, 400);
  expect(changed).toBeGreaterThan(200);
});
