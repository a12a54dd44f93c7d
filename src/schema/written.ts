/**
 * How class-transformer writes the instances of a class: which properties, by which names, through what.
 * Invariant: what `@Exclude` hides is hidden in subclasses too, and whichever installed copy it came from.
 */
import { TransformationType } from 'class-transformer';
import { type Class, isClass } from '../contract/class';
import { oncePer } from '../contract/once';
import { memberOf } from '../metadata/members';
import { loadedCopies } from './library-copies';
import { classesOf, judgeType, type ValueKind } from './property-type';
import {
  isStorage,
  readTransformerFacts,
  type TransformerStorage,
  transformerStorage,
} from './transformer-storage';

const OUT = TransformationType.CLASS_TO_PLAIN;

/** What `@Transform` was given. */
type Transform = ReturnType<TransformerStorage['findTransformMetadatas']>[number]['transformFn'];

/** How one property is written. */
interface WrittenProperty {
  readonly key: string;
  readonly hidden: boolean;
  readonly transforms: readonly Transform[];
  /** What `@Type` says that it holds, so that plain objects are written as that. */
  readonly value: ValueKind;
}

/** How the instances of one class are written. */
export interface WrittenClass {
  readonly cls: Class;
  /** False where only what `@Expose` names is written. */
  readonly showsRest: boolean;
  /** What `@Expose` names, getters and methods of the prototype among it. */
  readonly exposed: readonly string[];
  /** The properties that anything was recorded for, by their names in the class. */
  readonly properties: ReadonlyMap<string, WrittenProperty>;
  /** The names in JSON that are not those in the class, and the latter. */
  readonly renamed: ReadonlyMap<string, string>;
  /** It is written otherwise than it is, leaving aside what it holds. */
  readonly rewritten: boolean;
}

/** Tells whether a property of that name is left out. */
export function isHidden({ properties, showsRest }: WrittenClass, name: string): boolean {
  return properties.get(name)?.hidden ?? !showsRest;
}

/** The class and its ancestors, from the class up. */
function lineage(cls: Class): readonly Class[] {
  const parent: unknown = Object.getPrototypeOf(cls);
  return [cls, ...(isClass(parent) ? lineage(parent) : [])];
}

/** The maps by class in which a storage keeps what the decorators record; it has no other list of the names. */
const RECORDS = ['_typeMetadatas', '_transformMetadatas', '_exposeMetadatas', '_excludeMetadatas'];

/** The names of the properties of a class that a storage holds anything of. */
function namesIn(storage: TransformerStorage, cls: Class): readonly string[] {
  const names = RECORDS.flatMap((record) => {
    const byClass = memberOf(storage, record);
    if (!(byClass instanceof Map)) return [];
    return lineage(cls).flatMap((one): unknown[] => {
      const byName: unknown = byClass.get(one);
      return byName instanceof Map ? [...byName.keys()] : [];
    });
  });
  return [...new Set(names.filter((name) => typeof name === 'string'))];
}

/** class-transformer looks at the class alone, and so shows in a subclass what `@Exclude()` on its parent hides. */
function excludesAll(storage: TransformerStorage, cls: Class): boolean {
  const stated = lineage(cls).map((one) => storage.getStrategy(one));
  return stated.find((strategy) => strategy !== 'none') === 'excludeAll';
}

function kindOf(storage: TransformerStorage, cls: Class, name: string): ValueKind {
  const { type } = readTransformerFacts(storage, cls, name);
  // On the way out the tag of a union is not deleted.
  const judged = judgeType(
    type && { ...type, options: { ...type.options, keepDiscriminatorProperty: true } },
    true,
  );
  return 'value' in judged ? judged.value : { kind: 'json' };
}

function isGrouped(options: { readonly groups?: readonly string[] } | undefined): boolean {
  return (options?.groups ?? []).length > 0;
}

function readFrom(storage: TransformerStorage, cls: Class): WrittenClass | undefined {
  const names = namesIn(storage, cls);
  const showsRest = !excludesAll(storage, cls);
  if (names.length === 0 && showsRest) return undefined;
  const exposed = storage.getExposedProperties(cls, OUT).filter((name) => typeof name === 'string');
  const excluded = storage.getExcludedProperties(cls, OUT);
  const properties = names.map((name): readonly [string, WrittenProperty] => {
    const options = storage.findExposeMetadata(cls, name)?.options;
    const transforms = storage.findTransformMetadatas(cls, name, OUT);
    const isShown = showsRest || exposed.includes(name);
    return [
      name,
      {
        key: options?.name ?? name,
        hidden: !isShown || excluded.includes(name) || isGrouped(options),
        transforms: transforms.filter((one) => !isGrouped(one.options)).map(({ transformFn }) => transformFn),
        value: kindOf(storage, cls, name),
      },
    ];
  });
  const isChanged = ([name, { key, hidden, transforms }]: readonly [string, WrittenProperty]) =>
    hidden || key !== name || transforms.length > 0;
  return {
    cls,
    showsRest,
    exposed,
    properties: new Map(properties),
    renamed: new Map(
      properties.filter(([name, { key }]) => key !== name).map(([name, { key }]) => [key, name]),
    ),
    rewritten: !showsRest || properties.some(isChanged) || exposed.some((name) => name in cls.prototype),
  };
}

function storages(): readonly TransformerStorage[] {
  // A handler may load a class, with a copy of its own, long after its tool was discovered.
  const others = loadedCopies()
    .filter(({ library }) => library === 'class-transformer')
    .map(({ records }) => memberOf(records, 'defaultMetadataStorage'))
    .filter(isStorage);
  return [...new Set(transformerStorage === undefined ? others : [transformerStorage, ...others])];
}

/** What several copies say of a class, as of a parent that comes from a library; each may hide. */
function merged(all: readonly WrittenClass[], cls: Class): WrittenClass {
  const names = new Set(all.flatMap(({ properties }) => [...properties.keys()]));
  const properties = [...names].map((name): readonly [string, WrittenProperty] => {
    const said = all.flatMap((one) => one.properties.get(name) ?? []);
    return [
      name,
      {
        key: said.find(({ key }) => key !== name)?.key ?? name,
        hidden: all.some((one) => isHidden(one, name)),
        transforms: said.flatMap(({ transforms }) => transforms),
        value: said.find(({ value }) => value.kind !== 'json')?.value ?? { kind: 'json' },
      },
    ];
  });
  return {
    cls,
    showsRest: all.every(({ showsRest }) => showsRest),
    exposed: [...new Set(all.flatMap(({ exposed }) => exposed))],
    properties: new Map(properties),
    renamed: new Map(all.flatMap(({ renamed }) => [...renamed])),
    rewritten: all.some(({ rewritten }) => rewritten),
  };
}

/** What class-transformer says of a class; undefined where it was told nothing. */
export const writtenOf: (cls: Class) => WrittenClass | undefined = oncePer((cls) => {
  const all = storages().flatMap((storage) => readFrom(storage, cls) ?? []);
  return all.length > 1 ? merged(all, cls) : all[0];
});

function isAnyRewritten(cls: Class, seen: Set<Class>): boolean {
  if (seen.has(cls)) return false;
  seen.add(cls);
  const written = writtenOf(cls);
  if (written === undefined) return false;
  const held = [...written.properties.values()].flatMap(({ value }) => classesOf(value));
  return written.rewritten || held.some((one) => isAnyRewritten(one, seen));
}

/** How a class is written; undefined where it, and all that its `@Type`s name, is written as it is. */
export const rewrittenOf: (cls: Class) => WrittenClass | undefined = oncePer((cls) =>
  isAnyRewritten(cls, new Set()) ? writtenOf(cls) : undefined,
);
