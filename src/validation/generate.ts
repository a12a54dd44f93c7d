/**
 * Generates, for one DTO, a function that copies raw arguments and one that makes the instance.
 * Invariant: both do what the copier and the plain loop do without them; what comes from a declaration stands in
 * the code as a string literal alone, or is passed in beside it.
 */
import type { Class } from '../contract/class';
import { type ClassModel, reachableModels } from '../schema/model';
import { isOpen, type PropertyModel } from '../schema/property-model';
import type { ValueKind } from '../schema/property-type';
import { gateOfProperty } from './gate';
import type { Copy } from './snapshot';

/** What is generated for a DTO. */
export interface Generated<T> {
  readonly copy: Copy;
  readonly hydrate: (json: object) => T;
}

/** Writes a text as a string literal; the two line ends that JSON leaves as they are are escaped as well. */
function literal(text: string): string {
  return JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** Tells a property that every accepted value has. */
function isAlways(property: PropertyModel): boolean {
  return property.required && !isOpen(property);
}

/** Writes the functions of classes, which call each other by the number of the class. */
class Writer {
  /** What the code asks whether a value fits a property that may be anything, by its number. */
  readonly fits: ((value: unknown) => boolean)[] = [];
  private readonly numbers: ReadonlyMap<Class, number>;

  constructor(models: readonly ClassModel[]) {
    this.numbers = new Map(models.map(({ cls }, number) => [cls, number] as const));
  }

  write(model: ClassModel): string {
    return `${this.copy(model)}\n${this.hydrate(model)}`;
  }

  private name(prefix: string, cls: Class): string {
    return `${prefix}${this.numbers.get(cls)}`;
  }

  /** Reads each declared member once; an object that has others is left to the copier. */
  private copy({ cls, properties }: ClassModel): string {
    const members = properties.map((property, at) => ({
      ...property,
      held: `v${at}`,
      literal: literal(property.key),
    }));
    const required = members.filter(isAlways);
    const optional = members.filter((member) => !isAlways(member));
    const pairs = (some: typeof members) =>
      some.map((member) => `${member.literal}: ${member.held}`).join(', ');
    const units = properties.reduce((sum, { key }) => sum + key.length, 0);
    return `function ${this.name('copy', cls)}(raw, copier, depth) {
  if (typeof raw !== 'object' || raw === null || isArray(raw) || prototypeOf(raw) !== objectPrototype)
    return copier.copy(raw, depth);
  const names = keys(raw);
  if (!copier.enter(names.length, depth)) return undefined;
  let found = 0;
  ${members.map(({ held, literal: key }) => this.readMember(held, key)).join('\n  ')}
  if (found !== names.length${required.map(({ held }) => ` || ${held} === undefined`).join('')})
    return copier.copyMembers(raw, names, depth, { ${pairs(members)} });
  copier.units += ${units};
  ${members.map((member) => this.copyMember(member, member.held, member.literal)).join('\n  ')}
  const copied = { ${pairs(required)} };
  ${optional.map(({ held, literal: key }) => `if (${held} !== undefined) copied[${key}] = ${held};`).join('\n  ')}
  return copied;
}`;
  }

  /** Members are own and enumerable, as JSON's are; most come in the order in which they are declared. */
  private readMember(held: string, key: string): string {
    return `let ${held} = raw[${key}];
  if (${held} !== undefined) {
    if (names[found] === ${key} || names.includes(${key})) found += 1;
    else ${held} = undefined;
  }`;
  }

  private copyMember({ list, value }: PropertyModel, held: string, key: string): string {
    const any = `copier.copy(${held}, depth + 1)`;
    const nested = value.kind === 'class' ? this.name('copy', value.cls) : undefined;
    const one = nested === undefined ? any : `${nested}(${held}, copier, depth + 1)`;
    const all = `isArray(${held}) ? copier.copyList(${held}, depth + 1, ${nested}) : ${any}`;
    return `if (typeof ${held} === 'string') copier.units += ${held}.length;
  else if (typeof ${held} !== 'boolean' && ${held} !== undefined && !isFinite(${held})) {
    ${held} = ${list ? all : one};
    if (${held} === undefined) return copier.under(${key});
  }`;
  }

  private hydrate({ cls, properties }: ClassModel): string {
    return `function ${this.name('hydrate', cls)}(json) {
  if (typeof json !== 'object' || json === null || isArray(json)) return json;
  const made = new ${this.name('Class', cls)}();
  let value;
  ${properties.map((property) => this.hydrateMember(property)).join('\n  ')}
  return made;
}`;
  }

  private hydrateMember(property: PropertyModel): string {
    const [key, name] = [literal(property.key), literal(property.name)];
    const isSet = `value !== undefined${property.optional ? ' && value !== null' : ''}`;
    // What others gave Object.prototype is no member of the arguments.
    const isOwn = isAlways(property) ? '' : ` && hasOwn(json, ${key})`;
    return `value = json[${key}]; if (${isSet}${isOwn}) made[${name}] = ${this.hydrated(property)};`;
  }

  private hydrated(property: PropertyModel): string {
    const { list, value: kind } = property;
    const one = this.hydratedOne(kind, list ? 'element' : 'value');
    const all = !list || one === 'element' ? one : `value.map((element) => ${one})`;
    const made = list ? `isArray(value) ? ${one === 'element' ? 'value.slice()' : all} : value` : all;
    if (!isOpen(property)) return made;
    // Where its condition does not hold, a property may be anything.
    const gate = gateOfProperty(property);
    const number = this.fits.push((value) => gate.check(value).length === 0) - 1;
    return `!fits[${number}](value) ? value : ${made}`;
  }

  private hydratedOne(kind: ValueKind, value: string): string {
    switch (kind.kind) {
      case 'json':
        return value;
      case 'date':
        return `toDate(${value})`;
      case 'class':
        return `${this.name('hydrate', kind.cls)}(${value})`;
      case 'union': {
        const variants = [...kind.variants].map(
          ([tag, cls]) => `tag === ${literal(tag)} ? ${this.name('hydrate', cls)}(${value}) : `,
        );
        const tagged = `((tag) => ${variants.join('')}${value})`;
        return `(isObject(${value}) ? ${tagged}(${value}[${literal(kind.tag)}]) : ${value})`;
      }
    }
  }
}

const PRELUDE = `'use strict';
const { isArray } = Array;
const { isFinite } = Number;
const { getPrototypeOf: prototypeOf, hasOwn, keys, prototype: objectPrototype } = Object;
const isObject = (value) => typeof value === 'object' && value !== null;
const toDate = (value) => (typeof value === 'string' ? new Date(value) : value);`;

/** Generates the functions of a DTO. The process must be one that may generate code. */
export function generate<T extends object>(cls: Class<T>): Generated<T> {
  const models = reachableModels(cls);
  const writer = new Writer(models);
  const code = [
    PRELUDE,
    ...models.map((model) => writer.write(model)),
    'return { copy: copy0, hydrate: hydrate0 };',
  ];
  const make = new Function('fits', ...models.map((_, number) => `Class${number}`), code.join('\n'));
  return make(writer.fits, ...models.map((model) => model.cls));
}
