/**
 * DTOs composed at random: nested, in arrays, optional, inherited, initialised, conditional, by discriminator.
 * Invariant: a DTO is made of properties that were taken one by one, so most of what is composed is taken too.
 */
import { Expose, Transform } from 'class-transformer';
import { Equals, IsString, MaxLength } from 'class-validator';
import fc from 'fast-check';
import type { JsonValue } from 'toolcrib';
import type { Form } from './forms/form';
import { formsOf } from './forms/form';
import type { DtoSpec, Holds, PropertySpec } from './spec';

const NAMES = ['alpha', 'b/c', 'd~e', 'length'];
const DISCRIMINATOR = 'kind';

/** What a DTO may hold beyond rules on JSON, as far as the package takes it. */
export type Feature = 'union' | 'condition' | 'transform' | 'expose';

const trim: Form = {
  name: 'Transform(trim)',
  kind: 'text',
  decorate: () => [Transform(({ value }) => (typeof value === 'string' ? value.trim() : value))],
  accepted: [' a ', 'b\t'],
  near: ['    ', 'abcd ', ' abc'],
};

const exposed: Form = {
  name: 'Expose()',
  kind: 'any',
  decorate: () => [Expose()],
  accepted: ['a'],
  near: [],
};

const SHORT = formsOf('text', [
  ['IsString', (o) => IsString(o), ['a', 'ab'], [1, null]],
  ['MaxLength(3)', (o) => MaxLength(3, o), ['abc', ''], ['abcd']],
]);

function leadingBy(forms: readonly Form[]): PropertySpec {
  return { uses: forms.map((form) => ({ form, each: false })) };
}

/** A DTO with nothing but a feature, to see whether the package takes it. */
export function probeOf(feature: Feature): DtoSpec {
  const plain: PropertySpec = leadingBy(SHORT);
  const variant = (name: string): DtoSpec => ({
    properties: { [DISCRIMINATOR]: discriminating(name), v: plain },
    inherited: 0,
  });
  const probes: Readonly<Record<Feature, DtoSpec['properties']>> = {
    union: {
      v: {
        uses: [],
        holds: {
          kind: 'union',
          by: DISCRIMINATOR,
          variants: { a: variant('a'), b: variant('b') },
          each: false,
        },
      },
    },
    condition: { v: { ...plain, onlyBeside: 'w' }, w: plain },
    transform: { v: leadingBy([trim, ...SHORT]) },
    expose: { v: leadingBy([exposed, ...SHORT]) },
  };
  return { properties: probes[feature], inherited: 0 };
}

/** The property that tells the variants of a union apart. */
function discriminating(name: string): PropertySpec {
  const [form] = formsOf('text', [[`Equals("${name}")`, (o) => Equals(name, o), [name], ['', 'A']]]);
  return leadingBy(form === undefined ? [] : [form]);
}

function arbitraryHolds(leaves: readonly PropertySpec[], features: ReadonlySet<Feature>, depth: number) {
  const each = fc.boolean();
  const dto = arbitraryDto(leaves, features, depth - 1);
  const nested = fc.record({ kind: fc.constant('dto' as const), dto, each });
  if (!features.has('union')) return nested;
  const variant = (name: string) =>
    dto.map(({ properties, inherited }) => ({
      properties: { [DISCRIMINATOR]: discriminating(name), ...properties },
      inherited,
    }));
  const variants = fc.record({ a: variant('a'), b: variant('b') });
  const by = fc.constant(DISCRIMINATOR);
  const union = fc.record({ kind: fc.constant('union' as const), by, variants, each });
  return fc.oneof<fc.Arbitrary<Holds>[]>(nested, union);
}

function arbitraryProperty(
  leaves: readonly PropertySpec[],
  features: ReadonlySet<Feature>,
  depth: number,
): fc.Arbitrary<PropertySpec> {
  const special = [
    ...(features.has('transform') ? [leadingBy([trim, ...SHORT])] : []),
    ...(features.has('expose') ? [leadingBy([exposed, ...SHORT])] : []),
  ];
  const leaf = fc.constantFrom(...leaves, ...special);
  const holder = () =>
    arbitraryHolds(leaves, features, depth).map((holds): PropertySpec => ({ uses: [], holds }));
  const one =
    depth === 0 ? leaf : fc.oneof({ weight: 4, arbitrary: leaf }, { weight: 1, arbitrary: holder() });
  const rare = fc.nat(3).map((number) => number === 0);
  return fc
    .record({ one, optional: rare, initialised: rare, conditional: rare })
    .map(({ one: property, optional, initialised, conditional }): PropertySpec => {
      const initial = initialised && !optional ? initialOf(property) : undefined;
      return {
        ...property,
        ...(optional ? { optional: true } : {}),
        ...(initial === undefined ? {} : { initial }),
        ...(conditional && features.has('condition') && !optional ? { onlyBeside: 'alpha' } : {}),
      };
    });
}

/** A value that the rules accept, where that is known: the sample of a form that stands alone. */
function initialOf({ uses, holds }: PropertySpec): JsonValue | undefined {
  const [use, second] = uses;
  const sample = use?.form.accepted[0];
  if (use === undefined || second !== undefined || holds !== undefined || sample === undefined)
    return undefined;
  // Class fields of null say nothing, and a Date is no JSON.
  if (sample === undefined || sample === null || use.form.kind === 'date') return undefined;
  return use.each ? [sample] : sample;
}

/** DTOs that nest to a depth. */
export function arbitraryDto(
  leaves: readonly PropertySpec[],
  features: ReadonlySet<Feature>,
  depth: number,
): fc.Arbitrary<DtoSpec> {
  return fc
    .record({
      list: fc.array(arbitraryProperty(leaves, features, depth), { minLength: 1, maxLength: NAMES.length }),
      inherited: fc.nat(1),
    })
    .map(({ list, inherited }) => ({
      properties: Object.fromEntries(list.map((property, at) => [NAMES[at], property])),
      inherited,
    }));
}
