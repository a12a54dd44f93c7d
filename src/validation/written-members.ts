/**
 * The members of an object as class-transformer writes them: by its decorators, on the object's own class or on
 * the DTO that it stands for.
 * Invariant: nothing that `@Exclude` hides is read, and the object is not changed; an author's function that throws
 * is a refusal that names its place.
 */
import { types } from 'node:util';
import { TransformationType } from 'class-transformer';
import { type Class, isClass } from '../contract/class';
import { hush } from '../contract/hush';
import { oncePer } from '../contract/once';
import { childPointer } from '../contract/pointer';
import { memberOf } from '../metadata/members';
import { classesOf, classFor, type ValueKind } from '../schema/property-type';
import { isHidden, rewrittenOf, type WrittenClass } from '../schema/written';
import { NotJson } from './not-json';
import { viewAs } from './view-as';

/** One member as it is written, with what `@Type` says that it holds. */
export interface WrittenMember {
  readonly key: string;
  readonly value: unknown;
  readonly kind: ValueKind | undefined;
}

/** How one object is written. */
export interface Writing {
  readonly by: WrittenClass;
  /** The class of the object, where it was decorated and is another one than the DTO. */
  readonly beside: WrittenClass | undefined;
}

/** The class that a prototype belongs to, and how it is written. */
const classOfPrototype = oncePer((prototype: object) => {
  const cls = memberOf(prototype, 'constructor');
  return isClass(cls) && cls !== Object ? { cls, written: rewrittenOf(cls) } : undefined;
});

/** The class of an object; undefined for plain ones. */
function classOf(object: object): ReturnType<typeof classOfPrototype> {
  const prototype: unknown = Object.getPrototypeOf(object);
  const isPlain = prototype === Object.prototype || typeof prototype !== 'object' || prototype === null;
  return isPlain ? undefined : classOfPrototype(prototype);
}

function isWithin(cls: Class, base: Class): boolean {
  return cls === base || cls.prototype instanceof base;
}

/** The DTO that an object stands for where its place was declared. */
function declaredFor(kind: ValueKind, object: object, own: Class | undefined): Class | undefined {
  const known = own === undefined ? undefined : classesOf(kind).find((one) => one === own);
  return known ?? classFor(kind, object);
}

/** How an object is written; undefined where it is written as it is. */
export function writingOf(object: object, kind: ValueKind | undefined): Writing | undefined {
  const found = classOf(object);
  if (kind === undefined && found?.written === undefined) return undefined;
  const { cls: own, written: byOwn } = found ?? {};
  const declared = kind === undefined ? undefined : declaredFor(kind, object, own);
  if (declared === undefined || (own !== undefined && isWithin(own, declared))) {
    return byOwn && { by: byOwn, beside: undefined };
  }
  const byDeclared = rewrittenOf(declared);
  return byDeclared === undefined
    ? byOwn && { by: byOwn, beside: undefined }
    : { by: byDeclared, beside: byOwn };
}

/** Tells an instance of the class by which it is written, which a toJSON of its own does not overrule. */
export function isInstance({ by, beside }: Writing, object: object): boolean {
  return beside !== undefined || object instanceof by.cls;
}

/** Reads a property, of the object or of the DTO's prototype, whose getters and methods see a view of the object. */
function read(object: object, name: string, { cls, exposed }: WrittenClass, view: () => object): unknown {
  const isOfObject = name in object;
  const value: unknown = isOfObject ? memberOf(object, name) : memberOf(cls.prototype, name, view());
  const isMethod = typeof value === 'function' && exposed.includes(name) && !Object.hasOwn(object, name);
  return isMethod ? value.call(isOfObject ? object : view()) : value;
}

/** What stands in a property: by the DTO, or else by the class of the object, which may hide a part of it. */
function kindOf(name: string, by: WrittenClass, beside: WrittenClass | undefined): ValueKind | undefined {
  const declared = by.properties.get(name)?.value;
  const isKnown = declared !== undefined && declared.kind !== 'json';
  return isKnown ? declared : (beside?.properties.get(name)?.value ?? declared);
}

function attempt(act: () => unknown, path: string, key: string, message: string, rule?: string): unknown {
  try {
    return act();
  } catch (cause) {
    throw new NotJson(childPointer(path, key), message, rule, { cause });
  }
}

/** The members of an object; each is read when it is asked for. */
export function* writtenMembers(
  object: object,
  { by, beside }: Writing,
  path: string,
): Generator<WrittenMember> {
  const own = by.showsRest ? Object.keys(object) : [];
  let made: object | undefined;
  const view = (): object => {
    made ??= viewAs(by.cls, object);
    return made;
  };
  for (const name of new Set([...own, ...by.exposed])) {
    if (isHidden(by, name) || (beside !== undefined && isHidden(beside, name))) continue;
    const property = by.properties.get(name);
    const original = by.renamed.get(name);
    if (property === undefined && original !== undefined) {
      const message = `property ${name} should not exist; what it holds is ${original} in the class`;
      throw new NotJson(childPointer(path, name), message, 'whitelistValidation');
    }
    const key = property?.key ?? name;
    let value = attempt(() => read(object, name, by, view), path, key, 'reading the value threw');
    for (const transform of property?.transforms ?? []) {
      // The next may drop a promise that a getter or the one before has made.
      if (types.isPromise(value)) hush(value);
      const given = { value, key: name, obj: object, type: TransformationType.CLASS_TO_PLAIN, options: {} };
      value = attempt(() => transform(given), path, key, 'its @Transform threw', 'transform');
    }
    yield { key, value, kind: kindOf(name, by, beside) };
  }
}
