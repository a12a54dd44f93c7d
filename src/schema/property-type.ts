/**
 * What a property's value becomes when it is hydrated: JSON as it is, a Date, or an instance of a DTO.
 * Invariant: a type is taken only where hydration needs no conversion other than from RFC 3339 text.
 */
import { type Class, isClass } from '../contract/class';
import { memberOf } from '../metadata/members';
import type { PropertyFacts } from './class-facts';

/** How a value, or each element of an array, is hydrated. */
export type ValueKind =
  /** `type` is what `@Type(() => Number)` and the like name; nothing is converted. */
  | { readonly kind: 'json'; readonly type?: 'string' | 'number' | 'boolean' }
  | { readonly kind: 'date' }
  | { readonly kind: 'class'; readonly cls: Class }
  | UnionKind;

/** One of several DTOs, told apart by the text in one property. */
export interface UnionKind {
  readonly kind: 'union';
  readonly tag: string;
  readonly variants: ReadonlyMap<string, Class>;
}

/** The DTOs that a value may become. */
export function classesOf(kind: ValueKind): readonly Class[] {
  if (kind.kind === 'class') return [kind.cls];
  return kind.kind === 'union' ? [...kind.variants.values()] : [];
}

/** The DTO that an object becomes, or is; undefined where it is none, or its tag is unknown. */
export function classFor(kind: ValueKind, object: object): Class | undefined {
  if (kind.kind === 'class') return kind.cls;
  if (kind.kind !== 'union') return undefined;
  const tag = memberOf(object, kind.tag);
  return typeof tag === 'string' ? kind.variants.get(tag) : undefined;
}

/** A type that cannot be taken: what is wrong, and the mend. */
export interface TypeProblem {
  readonly message: string;
  readonly mend: string;
}

const JSON_KIND: ValueKind = { kind: 'json' };
const AS_IS: ReadonlyMap<unknown, ValueKind> = new Map<unknown, ValueKind>([
  [String, { kind: 'json', type: 'string' }],
  [Number, { kind: 'json', type: 'number' }],
  [Boolean, { kind: 'json', type: 'boolean' }],
  [Object, JSON_KIND],
]);
const UNSUPPORTED: readonly unknown[] = [
  Map,
  Set,
  WeakMap,
  WeakSet,
  Promise,
  Array,
  BigInt,
  Symbol,
  Function,
];

function nameOf(type: unknown): string {
  return typeof type === 'function' ? type.name : String(type);
}

type JudgedType = { readonly value: ValueKind } | { readonly problem: TypeProblem };

/** Judges a discriminator of `@Type`. That its variants declare the tag is seen once their models are made. */
function judgeUnion(discriminator: unknown, isKept: boolean): JudgedType {
  const options: object = typeof discriminator === 'object' && discriminator !== null ? discriminator : {};
  const tag = memberOf(options, 'property');
  const listed = memberOf(options, 'subTypes');
  const variants = new Map<string, Class>();
  const subTypes: readonly unknown[] = Array.isArray(listed) ? listed : [];
  for (const subType of subTypes) {
    if (typeof subType !== 'object' || subType === null) continue;
    const [name, cls] = [memberOf(subType, 'name'), memberOf(subType, 'value')];
    if (typeof name === 'string' && isClass(cls)) variants.set(name, cls);
  }
  if (typeof tag !== 'string' || variants.size === 0 || variants.size < subTypes.length) {
    const mend = 'Give { property, subTypes: [{ name, value }] } with texts and DTOs, each name once.';
    return { problem: { message: 'the discriminator is not complete', mend } };
  }
  if (!isKept) {
    const mend = `Set keepDiscriminatorProperty: true, and declare ${tag} in each DTO of the union.`;
    return {
      problem: { message: `class-transformer would delete ${tag}, which tells the DTOs apart`, mend },
    };
  }
  return { value: { kind: 'union', tag, variants } };
}

/** What is wrong with the declared type of a property whose value stays JSON. */
export function designProblem(designed: unknown): TypeProblem | undefined {
  if (designed === Date) {
    const mend = 'Add @Type(() => Date) with @IsDate(), or declare it as a string.';
    return { message: 'it is declared as a Date, and would hold text', mend };
  }
  if (designed === Array || !UNSUPPORTED.includes(designed)) return undefined;
  const mend = 'Use an array, or a DTO with named properties.';
  return { message: `${nameOf(designed)} has no JSON form`, mend };
}

/** Judges what `@Type` and `@ValidateNested` say together. */
export function judgeType(type: PropertyFacts['type'], isNested: boolean): JudgedType {
  if (type === undefined) {
    return isNested
      ? { problem: { message: '@ValidateNested() has no @Type', mend: 'Add @Type(() => TheNestedDto).' } }
      : { value: JSON_KIND };
  }
  const { named, reflected, options } = type;
  if ('discriminator' in options && options.discriminator !== undefined) {
    return isNested
      ? judgeUnion(options.discriminator, memberOf(options, 'keepDiscriminatorProperty') === true)
      : { problem: { message: 'no @ValidateNested() checks the union', mend: 'Add @ValidateNested().' } };
  }
  if (named === undefined) {
    return {
      problem: {
        message: '@Type names nothing, as it does when two files import each other',
        mend: 'Let @Type take a function, and the property an interface or a type alias as its type.',
      },
    };
  }
  const odd = [named, reflected].find((one) => UNSUPPORTED.includes(one) && one !== Array);
  if (odd !== undefined || named === Array) {
    const name = nameOf(odd ?? named);
    return {
      problem: { message: `${name} has no JSON form`, mend: 'Use an array, or a DTO with named properties.' },
    };
  }
  if (named === Date) {
    return isNested
      ? { problem: { message: '@ValidateNested() sits on a Date', mend: 'Write @IsDate() in its place.' } }
      : { value: { kind: 'date' } };
  }
  const asIs = AS_IS.get(named);
  if (asIs !== undefined) {
    return isNested
      ? { problem: { message: `@ValidateNested() names ${nameOf(named)}`, mend: 'Name a DTO in @Type.' } }
      : { value: asIs };
  }
  if (!isClass(named)) {
    return {
      problem: { message: `@Type names ${nameOf(named)}, which is not a class`, mend: 'Name a DTO.' },
    };
  }
  return isNested
    ? { value: { kind: 'class', cls: named } }
    : {
        problem: {
          message: `@Type names ${named.name} and no @ValidateNested() checks it`,
          mend: 'Add @ValidateNested().',
        },
      };
}
