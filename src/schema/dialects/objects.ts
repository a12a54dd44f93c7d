/**
 * Projects objects: their properties, which of them are required, and what else they take.
 * Invariant: a property that is shown in another way is one that `restore` knows.
 */
import type { JsonSchema } from '../../contract/schema';
import { absencesIn } from './absence';
import { acceptsNull } from './accepts-null';
import type { Conjunction } from './conjunction';
import type { Ledger } from './ledger';
import { isOnlyNull, orNull, type Projected } from './node';
import { toModelNames } from './property-names';
import type { Restorer } from './restore';
import type { DialectRules } from './rules';
import { toWords } from './scalars';
import type { Source } from './source';

/** What a node needs of the projection that it is part of. */
export interface Projection {
  readonly root: JsonSchema;
  readonly rules: DialectRules;
  readonly ledger: Ledger;
  /** Undefined where no value satisfies the sources. */
  project(sources: readonly Source[]): Projected | undefined;
  refuse(at: string, reason: string): Projected;
}

/** Where a node stands, and the words that it gathers. */
export interface Place {
  readonly at: string;
  readonly words: string[];
  readonly isRoot: boolean;
}

interface Properties {
  readonly shown: Map<string, JsonSchema>;
  readonly required: string[];
  readonly nulls: Set<string>;
  readonly children: Map<string, Restorer>;
}

function isRefused(
  { properties, isClosed }: Conjunction,
  { isRoot, at }: Place,
  projection: Projection,
): boolean {
  const { rules } = projection;
  if (!isClosed && !rules.hasOpenObjects) {
    projection.refuse(at, 'it takes properties that are not declared');
    return true;
  }
  if (properties.size > 0 || isRoot || rules.hasEmptyObjects) return false;
  projection.refuse(at, 'it is an object that declares no properties');
  return true;
}

function projectProperties(
  all: Conjunction,
  names: ReadonlyMap<string, string>,
  projection: Projection,
): Properties | undefined {
  const { rules, ledger, root } = projection;
  const { properties, required } = all;
  const absences = absencesIn(all);
  const made: Properties = { shown: new Map(), required: [], nulls: new Set(), children: new Map() };
  for (const [name, sources] of properties) {
    const place = sources[0]?.at ?? '';
    const node = projection.project(sources);
    if (node === undefined) {
      if (required.has(name)) return undefined;
      ledger.note(place, 'properties', 'dropped');
      continue;
    }
    if (isOnlyNull(node.schema) && !rules.hasTypeUnions) projection.refuse(place, 'it is null alone');
    const shown = names.get(name) ?? name;
    if (shown !== name) ledger.note(place, 'properties', 'renamed', shown);
    const isAdded = !required.has(name) && rules.requiresAll;
    const takesNull = acceptsNull(sources, root);
    const isFilled = isAdded && (!takesNull || absences.has(name));
    if (isAdded) ledger.note(place, 'required', 'made_required');
    if (isFilled) {
      ledger.note(place, 'type', 'made_nullable');
      if (takesNull) ledger.note(place, 'type', 'narrowed', 'null means absent');
      made.nulls.add(shown);
    }
    if (required.has(name) || isAdded) made.required.push(shown);
    made.shown.set(shown, takesNull || !isFilled ? node.schema : orNull(node.schema));
    if (node.restorer !== undefined) made.children.set(shown, node.restorer);
  }
  return made;
}

function projectAdditional(all: Conjunction, { at: whole, words }: Place, projection: Projection): Projected {
  const { rules, ledger } = projection;
  const { isClosed, additional } = all;
  const at = all.placeOf('additionalProperties') ?? whole;
  if (isClosed) {
    if (rules.hasAdditional) return { schema: { additionalProperties: false } };
    ledger.note(at, 'additionalProperties', 'dropped');
    return { schema: {} };
  }
  const text = 'Takes other properties too.';
  if (!words.includes(text)) words.push(text);
  const isLoosened = all.rest.some(({ keyword }) => keyword === 'additionalProperties');
  if (!rules.hasAdditional) {
    ledger.note(at, 'additionalProperties', 'moved_to_description', text);
    return { schema: {} };
  }
  if (isLoosened) ledger.note(at, 'additionalProperties', 'rewritten', 'true');
  else ledger.note(at, 'additionalProperties', 'described', text);
  const values = additional.length === 0 ? undefined : projection.project(additional);
  return { schema: { additionalProperties: values?.schema ?? true }, restorer: values?.restorer };
}

/** Projects an object; undefined where no object satisfies it. */
export function projectObject(
  all: Conjunction,
  schema: JsonSchema,
  place: Place,
  projection: Projection,
): Projected | undefined {
  if (isRefused(all, place, projection)) return { schema };
  const names = toModelNames([...all.properties.keys()], projection.rules);
  const made = projectProperties(all, names, projection);
  const undeclared = [...all.required].filter((name) => !all.properties.has(name));
  if (made === undefined || (undeclared.length > 0 && all.isClosed)) return undefined;
  const { at, words } = place;
  if (undeclared.length > 0)
    toWords({ keyword: 'required', value: undeclared, at }, projection.ledger, words);
  const { shown, required, nulls, children } = made;
  const renamed = new Map(
    [...names].filter(([name, other]) => name !== other).map(([name, other]) => [other, name]),
  );
  if (required.length === 0 && projection.rules.requiresAll) {
    projection.ledger.note(at, 'required', 'rewritten', '[]');
  }
  const additional = projectAdditional(all, place, projection);
  const others =
    additional.restorer === undefined
      ? undefined
      : { declared: new Set([...names].flat()), restorer: additional.restorer };
  const isIdle = nulls.size === 0 && renamed.size === 0 && children.size === 0 && others === undefined;
  return {
    schema: {
      ...schema,
      properties: Object.fromEntries(shown),
      ...(required.length === 0 && !projection.rules.requiresAll ? {} : { required }),
      ...additional.schema,
    },
    restorer: isIdle ? undefined : { kind: 'object', nulls, names: renamed, children, others },
  };
}
