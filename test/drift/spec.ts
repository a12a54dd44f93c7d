/**
 * DTO classes as plain data, and as the decorated classes that are made of it.
 * Invariant: a class carries the metadata that the compiler of this build emits for one, and no other.
 */
import 'reflect-metadata';
import { Type } from 'class-transformer';
import { Allow, getMetadataStorage, IsOptional, ValidateIf, ValidateNested } from 'class-validator';
import type { JsonValue } from 'toolcrib';
import { type Decorators, type Dto, decorate } from '../fixtures/dto-with';
import type { Form, Kind } from './forms/form';

/** One form on a property, or on each of its elements. */
export interface Use {
  readonly form: Form;
  readonly each: boolean;
}

/** What a property holds besides JSON: a DTO, or one of several by a discriminator. */
export type Holds =
  | { readonly kind: 'dto'; readonly dto: DtoSpec; readonly each: boolean }
  | {
      readonly kind: 'union';
      readonly by: string;
      readonly variants: Readonly<Record<string, DtoSpec>>;
      readonly each: boolean;
    };

/** One property. */
export interface PropertySpec {
  /** In the order in which they are written. */
  readonly uses: readonly Use[];
  readonly holds?: Holds;
  readonly optional?: true;
  readonly initial?: JsonValue;
  /** Values that are known to pass, where some are. */
  readonly samples?: readonly JsonValue[];
  /** The rules run only where this sibling is there. */
  readonly onlyBeside?: string;
}

/** A class; its first properties sit on a class that it extends. */
export interface DtoSpec {
  readonly properties: Readonly<Record<string, PropertySpec>>;
  readonly inherited: number;
}

/** A class that was made, and all that were made for it. */
export interface Made {
  readonly cls: Dto;
  readonly all: readonly Dto[];
}

class Witness {
  @Allow() v: string = '';
}

/** Whether the compiler of this build emits the types of decorated properties. */
export const EMITS_TYPES = Reflect.getMetadata('design:type', Witness.prototype, 'v') === String;

const TYPES: Readonly<Record<Kind, unknown>> = {
  text: String,
  number: Number,
  boolean: Boolean,
  any: Object,
  object: Object,
  array: Array,
  date: Date,
};

/** Tells whether a property is an array by what is written on it. */
export function isList({ uses, holds }: PropertySpec): boolean {
  return holds?.each === true || uses.some(({ each }) => each);
}

function typeOf(property: PropertySpec, held: Dto | undefined): unknown {
  if (isList(property)) return Array;
  if (held !== undefined) return held;
  const kinds = new Set(property.uses.map(({ form }) => form.kind).filter((kind) => kind !== 'any'));
  const [kind = 'any'] = kinds;
  return kinds.size > 1 ? Object : TYPES[kind];
}

function heldDecorators(holds: Holds, make: (spec: DtoSpec) => Dto): readonly [Dto, Decorators] {
  const nested = ValidateNested(holds.each ? { each: true } : {});
  if (holds.kind === 'dto') {
    const held = make(holds.dto);
    return [held, [nested, Type(() => held)]];
  }
  const base = class Base {};
  const subTypes = Object.entries(holds.variants).map(([name, spec]) => ({ name, value: make(spec) }));
  const discriminator = { property: holds.by, subTypes };
  return [base, [nested, Type(() => base, { discriminator, keepDiscriminatorProperty: true })]];
}

function decoratorsOf(property: PropertySpec, make: (spec: DtoSpec) => Dto): Decorators {
  const { uses, holds, optional, onlyBeside } = property;
  const [held, heldBy] = holds === undefined ? [undefined, []] : heldDecorators(holds, make);
  return [
    ...(optional ? [IsOptional()] : []),
    ...(onlyBeside === undefined
      ? []
      : [ValidateIf((one: object) => Reflect.get(one, onlyBeside) !== undefined)]),
    ...uses.flatMap(({ form, each }) => form.decorate(each ? { each } : undefined)),
    ...heldBy,
    ...(EMITS_TYPES ? [Reflect.metadata('design:type', typeOf(property, held))] : []),
  ];
}

/** Makes the class of a spec. */
export function makeDto(spec: DtoSpec): Made {
  const all: Dto[] = [];
  const make = ({ properties, inherited }: DtoSpec): Dto => {
    const entries = Object.entries(properties);
    const base = class Base {};
    const cls = class Made extends base {
      constructor() {
        super();
        // As class fields do: every declared property is there, most of them undefined.
        for (const [name, { initial }] of entries) Object.assign(this, { [name]: structuredClone(initial) });
      }
    };
    for (const [at, [name, property]] of entries.entries()) {
      decorate(at < inherited ? base : cls, name, decoratorsOf(property, make));
    }
    all.push(base, cls);
    return cls;
  };
  return { cls: make(spec), all };
}

/** Takes classes out of class-validator's storage, which it scans whole for every object. */
export function forget(classes: readonly Dto[]): void {
  const storage: object = getMetadataStorage();
  if (!('validationMetadatas' in storage) || !(storage.validationMetadatas instanceof Map)) return;
  for (const cls of classes) storage.validationMetadatas.delete(cls);
}

/** Writes a spec for a reader. */
export function specText({ properties, inherited }: DtoSpec): string {
  const lines = Object.entries(properties).map(([name, property], at) => {
    const { uses, holds, optional, initial, onlyBeside } = property;
    const words = [
      ...(at < inherited ? ['(inherited)'] : []),
      ...(optional ? ['@IsOptional'] : []),
      ...(onlyBeside === undefined ? [] : [`@ValidateIf(${onlyBeside} is there)`]),
      ...uses.map(({ form, each }) => `@${form.name}${each ? ' each' : ''}`),
      ...(holds === undefined ? [] : [`@ValidateNested${holds.each ? ' each' : ''} ${holdsText(holds)}`]),
      ...(initial === undefined ? [] : [`= ${JSON.stringify(initial)}`]),
    ];
    return `${name}: ${words.join(' ')}`;
  });
  return `{ ${lines.join('; ')} }`;
}

function holdsText(holds: Holds): string {
  if (holds.kind === 'dto') return specText(holds.dto);
  const variants = Object.entries(holds.variants).map(([name, spec]) => `${name} ${specText(spec)}`);
  return `by ${holds.by}: ${variants.join(' | ')}`;
}
