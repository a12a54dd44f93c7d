/**
 * What a property's value becomes when it is hydrated: JSON as it is, a Date, or an instance of a DTO.
 * Invariant: a type is taken only where hydration needs no conversion other than from RFC 3339 text.
 */
import { type Class, isClass } from '../contract/class';
import type { PropertyFacts } from './class-facts';

/** How a value, or each element of an array, is hydrated. */
export type ValueKind =
  | { readonly kind: 'json' }
  | { readonly kind: 'date' }
  | { readonly kind: 'class'; readonly cls: Class };

/** A type that cannot be taken: what is wrong, and the mend. */
export interface TypeProblem {
  readonly message: string;
  readonly mend: string;
}

const JSON_KIND: ValueKind = { kind: 'json' };
const AS_IS: readonly unknown[] = [String, Number, Boolean, Object];
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

/** Judges what `@Type` and `@ValidateNested` say together. */
export function judgeType(
  type: PropertyFacts['type'],
  isNested: boolean,
): { readonly value: ValueKind } | { readonly problem: TypeProblem } {
  if (type === undefined) {
    return isNested
      ? { problem: { message: '@ValidateNested() has no @Type', mend: 'Add @Type(() => TheNestedDto).' } }
      : { value: JSON_KIND };
  }
  const { named, reflected, options } = type;
  if ('discriminator' in options && options.discriminator !== undefined) {
    return {
      problem: { message: 'discriminated unions are not supported', mend: 'Declare one nested DTO.' },
    };
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
  if (AS_IS.includes(named)) {
    return isNested
      ? { problem: { message: `@ValidateNested() names ${nameOf(named)}`, mend: 'Name a DTO in @Type.' } }
      : { value: JSON_KIND };
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
