/**
 * Reads what class-validator, class-transformer and class-validator-jsonschema recorded for one class.
 * Invariant: the rules of a class are exactly those that class-validator would run on its instances, found by
 * walking the class's own prototype chain, so the cost does not grow with other classes of the process.
 */
import { getMetadataSchema } from 'class-validator-jsonschema/build/decorators';
import type { Class } from '../contract/class';
import { readPropertyType } from '../metadata/own-facts';
import { type RecordedRule, recordedFor } from './recorded-rules';
import {
  NO_TRANSFORMER_FACTS,
  readTransformerFacts,
  type TransformerFacts,
  transformerStorage,
} from './transformer-storage';

/** What was recorded for one property. */
export interface PropertyFacts extends TransformerFacts {
  readonly name: string;
  readonly rules: readonly RecordedRule[];
  /** What `@JSONSchema` was given. */
  readonly text: object;
  /** The type that the compiler emitted; undefined where it emits none. */
  readonly designed: unknown;
}

/** The class and its ancestors, from the base down. */
function lineage(cls: Class): readonly object[] {
  const chain: object[] = [];
  for (
    let at: object | null = cls;
    at !== null && at !== Function.prototype;
    at = Object.getPrototypeOf(at)
  ) {
    chain.unshift(at);
  }
  return chain;
}

/** Reads the facts of all properties, ancestors' first, in the order of their declaration. */
export function readPropertyFacts(cls: Class): readonly PropertyFacts[] {
  const own = recordedFor(cls);
  // class-validator drops an inherited rule where the class itself has one of the same type on that property.
  const isRedeclared = (inherited: RecordedRule) =>
    own.some((rule) => rule.propertyName === inherited.propertyName && rule.type === inherited.type);
  const ancestors = lineage(cls).slice(0, -1);
  const inherited = ancestors
    .flatMap((ancestor) => recordedFor(ancestor))
    .filter((rule) => !isRedeclared(rule));
  const byProperty = new Map<string, RecordedRule[]>();
  for (const rule of [...inherited, ...own]) {
    const rules = byProperty.get(rule.propertyName) ?? [];
    rules.push(rule);
    byProperty.set(rule.propertyName, rules);
  }
  return [...byProperty].map(([name, rules]) => ({
    name,
    rules,
    text: getMetadataSchema(cls.prototype, name),
    designed: readPropertyType(cls.prototype, name),
    ...(transformerStorage === undefined
      ? NO_TRANSFORMER_FACTS
      : readTransformerFacts(transformerStorage, cls, name)),
  }));
}

/** Reads what `@JSONSchema` on the class itself was given. */
export function readClassText(cls: Class): object {
  const text = getMetadataSchema(cls.prototype, cls.name);
  // It is kept by the class's name and read with inheritance, and minifiers give parent and child one name.
  const parent: object | null = Object.getPrototypeOf(cls.prototype);
  const isInherited = parent !== null && getMetadataSchema(parent, cls.name) === text;
  return isInherited ? {} : text;
}
