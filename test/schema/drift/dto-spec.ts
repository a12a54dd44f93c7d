/**
 * Random DTO classes: first as plain data, which shrinks and prints well, then as decorated classes.
 * Invariant: a spec is legal: every class that is made of one has a contract.
 */
import { Type } from 'class-transformer';
import { Allow, IsDate, IsOptional, ValidateNested } from 'class-validator';
import fc from 'fast-check';
import type { JsonValue } from 'toolcrib';
import { type Decorators, type Dto, decorate } from '../../fixtures/dto-with';
import { type Family, formOf, RULE_FORMS } from '../../fixtures/rule-forms';

/** What one property holds. */
export type Shape =
  | { readonly kind: 'rules'; readonly family: Family; readonly ids: readonly string[] }
  | { readonly kind: 'date' }
  | { readonly kind: 'allow' }
  | { readonly kind: 'nested'; readonly dto: DtoSpec };

/** One property. */
export interface PropertySpec {
  readonly shape: Shape;
  readonly each: boolean;
  /** Rules on the array itself, where `each`. */
  readonly arrayIds: readonly string[];
  readonly optional: boolean;
  readonly initialised: boolean;
}

/** A class; its first properties sit on a class that it extends. */
export interface DtoSpec {
  readonly properties: Readonly<Record<string, PropertySpec>>;
  readonly inherited: number;
}

/** Where the elements are such, ArrayUnique compares as JSON Schema does. */
const SCALARS: readonly string[] = ['IsString()', 'IsInt()', 'IsNumber()', 'IsBoolean()'];
const NAMES = ['alpha', 'b/c', 'd~e', 'length'];
const IDS = [...RULE_FORMS.keys()];

function idsOf(family: Family, exactOnly: boolean): readonly string[] {
  return IDS.filter((id) => formOf(id).family === family && (!exactOnly || formOf(id).grade === 'exact'));
}

/** Tells whether the schema of a property says all that its rules do. */
function isExactProperty({ shape, arrayIds }: PropertySpec): boolean {
  const ids = shape.kind === 'rules' ? shape.ids : [];
  const isScalar = ids.some((id) => SCALARS.includes(id));
  const isExactId = (id: string) => formOf(id).grade === 'exact' || (id === 'ArrayUnique()' && isScalar);
  const isNestedExact = shape.kind !== 'nested' || isExactDto(shape.dto);
  return isNestedExact && ids.every((id) => formOf(id).grade === 'exact') && arrayIds.every(isExactId);
}

/** Tells whether the schema of a DTO alone must decide. */
export function isExactDto({ properties }: DtoSpec): boolean {
  return Object.values(properties).every(isExactProperty);
}

function arbitraryShape(depth: number, exactOnly: boolean): fc.Arbitrary<Shape> {
  const ofFamily = (family: Family, maxLength: number): fc.Arbitrary<Shape> => {
    const ids = idsOf(family, exactOnly);
    const pool = [...ids, ...(family === 'any' ? [] : ['IsDefined()', 'IsNotEmpty()'])];
    const scalars = ids.filter((id) => SCALARS.includes(id));
    const first =
      scalars.length === 0 ? fc.constantFrom(...ids) : fc.constantFrom(...ids, ...scalars, ...scalars);
    return fc
      .tuple(first, fc.subarray(pool, { maxLength: maxLength - 1 }))
      .map(([one, others]) => ({ kind: 'rules', family, ids: [...new Set([one, ...others])] }));
  };
  const leaves: fc.WeightedArbitrary<Shape>[] = [
    { weight: 6, arbitrary: ofFamily('text', 3) },
    { weight: 6, arbitrary: ofFamily('number', 3) },
    { weight: 1, arbitrary: ofFamily('boolean', 1) },
    { weight: 2, arbitrary: ofFamily('any', 2) },
    { weight: 1, arbitrary: ofFamily('object', 1) },
    { weight: 2, arbitrary: ofFamily('array', 2) },
    { weight: 2, arbitrary: fc.constant({ kind: 'date' }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'allow' }) },
  ];
  if (depth === 0) return fc.oneof(...leaves);
  const nested = arbitraryDto(depth - 1, exactOnly).map((dto): Shape => ({ kind: 'nested', dto }));
  return fc.oneof(...leaves, { weight: 6, arbitrary: nested });
}

function arbitraryProperty(depth: number, exactOnly: boolean): fc.Arbitrary<PropertySpec> {
  const rare = fc.nat(2).map((one) => one === 2);
  return fc
    .record({
      shape: arbitraryShape(depth, exactOnly),
      each: rare,
      arrayIds: fc.subarray([...idsOf('array', false)], { maxLength: 2 }),
      optional: rare,
      initialised: rare,
    })
    .map((spec): PropertySpec => {
      const isOfArrays = spec.shape.kind === 'rules' && spec.shape.family === 'array';
      const each = spec.each && spec.shape.kind !== 'allow' && !isOfArrays;
      // Only a value that is known to pass may be an initialiser.
      const hasSample = spec.shape.kind === 'rules' && spec.shape.ids.length === 1;
      const arrayIds = each ? spec.arrayIds : [];
      return { ...spec, each, arrayIds, initialised: spec.initialised && hasSample && arrayIds.length === 0 };
    })
    .map((spec) => (exactOnly && !isExactProperty(spec) ? { ...spec, arrayIds: [] } : spec));
}

/** DTOs that nest to a depth; with `exactOnly` the schema alone must decide. */
export function arbitraryDto(depth: number, exactOnly: boolean): fc.Arbitrary<DtoSpec> {
  return fc
    .record({
      list: fc.array(arbitraryProperty(depth, exactOnly), { minLength: 1, maxLength: NAMES.length }),
      inherited: fc.nat(1),
    })
    .map(({ list, inherited }) => ({
      properties: Object.fromEntries(list.map((property, at) => [NAMES[at], property])),
      inherited,
    }));
}

/** The initialiser of a property, where it has one. */
function initialValue({ shape, each, initialised }: PropertySpec): JsonValue | undefined {
  const [id] = shape.kind === 'rules' ? shape.ids : [];
  if (!initialised || id === undefined) return undefined;
  return each ? [formOf(id).sample] : formOf(id).sample;
}

/** The decorators that make a property. */
function decoratorsOf(
  { shape, each, arrayIds, optional }: PropertySpec,
  makeNested: (of: DtoSpec) => Dto,
): Decorators {
  const options = each ? { each } : undefined;
  const nested = shape.kind === 'nested' ? makeNested(shape.dto) : undefined;
  return [
    ...(optional ? [IsOptional()] : []),
    ...arrayIds.map((id) => formOf(id).decorate()),
    ...(shape.kind === 'rules' ? shape.ids.map((id) => formOf(id).decorate(options)) : []),
    ...(shape.kind === 'date' ? [Type(() => Date), IsDate(options)] : []),
    ...(shape.kind === 'allow' ? [Allow()] : []),
    ...(nested === undefined ? [] : [ValidateNested(options), Type(() => nested)]),
  ];
}

/** Makes the class of a spec, and lists it with all classes that were made for it. */
export function makeDto(spec: DtoSpec): { readonly cls: Dto; readonly made: readonly Dto[] } {
  const made: Dto[] = [];
  const make = ({ properties, inherited }: DtoSpec): Dto => {
    const entries = Object.entries(properties);
    const base = class Base {};
    const cls = class Made extends base {
      constructor() {
        super();
        // As class fields do: every declared property is there, most of them undefined.
        for (const [name, property] of entries) Object.assign(this, { [name]: initialValue(property) });
      }
    };
    for (const [at, [name, property]] of entries.entries()) {
      decorate(at < inherited ? base : cls, name, decoratorsOf(property, make));
    }
    made.push(base, cls);
    return cls;
  };
  return { cls: make(spec), made };
}
