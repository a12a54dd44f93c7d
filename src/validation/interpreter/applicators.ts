/**
 * The keywords of JSON Schema that apply further schemas, and `pattern`, whose expressions are kept.
 * Invariant: those that ask what was evaluated come after all that evaluate.
 */
import { isSchema } from '../../contract/schema';
import type { JsonValue } from '../../errors/body';
import { ASSERTIONS, type Assertion, keysOf, type Listed, ownOf } from './assertions';
import { type At, type Check, Evaluated } from './run';

function listOf(stated: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(stated) ? stated : [];
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

function* indexesOf(value: unknown, first: number): Generator<number> {
  for (let at = first; at < lengthOf(value); at += 1) yield at;
}

function evaluateAll({ evaluated }: At): void {
  if (evaluated !== undefined) evaluated.all = true;
}

const asserted = ([keyword, of, assertion]: Listed<Assertion>): Listed<Check> => [
  keyword,
  of,
  (run, stated, at) => {
    const wrong = assertion(stated, at.value, at.schema);
    return wrong.length === 0 || run.each(wrong, (params) => run.report(at, keyword, params));
  },
];

const conditional: Check = (run, stated, at) => {
  const evaluated = at.evaluated === undefined ? undefined : new Evaluated();
  const failingKeyword = run.tells(stated, at.value, at.place, evaluated) ? 'then' : 'else';
  if (failingKeyword === 'then' && evaluated !== undefined) at.evaluated?.addAll(evaluated);
  const isFit = run.inPlace(at.schema[failingKeyword], at);
  return isFit || run.report(at, 'if', { failingKeyword });
};

const contained: Check = (run, stated, at) => {
  const { minContains: least = 1, maxContains: most = Number.POSITIVE_INFINITY } = at.schema;
  let found = 0;
  for (const index of indexesOf(at.value, 0)) {
    if (!run.tells(stated, ownOf(at.value, index), at.place)) continue;
    at.evaluated?.add(index);
    found += 1;
  }
  return (found >= Number(least) && found <= Number(most)) || run.report(at, 'contains', {});
};

const further: Check = (run, stated, at) => {
  const first = listOf(at.schema.prefixItems).length;
  evaluateAll(at);
  if (stated === false && at.schema.prefixItems !== undefined)
    return lengthOf(at.value) <= first || run.report(at, 'items', { limit: first });
  return run.each(indexesOf(at.value, first), (index) => run.inside(stated, at, index));
};

const additional: Check = (run, stated, at) => {
  const { properties, patternProperties } = at.schema;
  const patterns = keysOf(patternProperties);
  const isKnown = (key: string) =>
    ownOf(properties, key) !== undefined || patterns.some((pattern) => run.prepared.isMatch(pattern, key));
  const unknown = keysOf(at.value).filter((key) => !isKnown(key));
  evaluateAll(at);
  return run.each(unknown, (additionalProperty) =>
    stated === false
      ? run.report(at, 'additionalProperties', { additionalProperty })
      : run.inside(stated, at, additionalProperty),
  );
};

const dependent: Check = (run, stated, at) => {
  if (!isSchema(stated)) return true;
  const asked = Object.keys(stated).filter((name) => ownOf(at.value, name) !== undefined);
  return run.each(asked, (name) => {
    const demand = stated[name];
    if (!Array.isArray(demand)) return run.inPlace(demand, at);
    const missing = demand.filter((one) => typeof one === 'string' && ownOf(at.value, one) === undefined);
    return run.each(missing, (missingProperty) => run.report(at, 'dependencies', { missingProperty }));
  });
};

const named: Check = (run, stated, at) =>
  run.each(
    keysOf(at.value),
    (propertyName) =>
      run.tells(stated, propertyName, at.place) || run.report(at, 'propertyNames', { propertyName }),
  );

const declared: Check = (run, stated, at) => {
  if (!isSchema(stated)) return true;
  const given = Object.keys(stated).filter((key) => ownOf(at.value, key) !== undefined);
  return run.each(given, (key) => {
    at.evaluated?.add(key);
    return run.inside(stated[key], at, key);
  });
};

const matching: Check = (run, stated, at) => {
  if (!isSchema(stated)) return true;
  return run.each(Object.keys(stated), (pattern) => {
    const keys = keysOf(at.value).filter((key) => run.prepared.isMatch(pattern, key));
    return run.each(keys, (key) => {
      at.evaluated?.add(key);
      return run.inside(stated[pattern], at, key);
    });
  });
};

const first: Check = (run, stated, at) => {
  const schemas = listOf(stated).slice(0, lengthOf(at.value));
  return run.each(schemas.keys(), (index) => {
    at.evaluated?.add(index);
    return run.inside(schemas[index], at, index);
  });
};

const otherItems: Check = (run, stated, at) => {
  const others = [...indexesOf(at.value, 0)].filter((index) => at.evaluated?.has(index) !== true);
  evaluateAll(at);
  if (stated === false) return others.length === 0 || run.report(at, 'unevaluatedItems', {});
  return run.each(others, (index) => run.inside(stated, at, index));
};

const otherProperties: Check = (run, stated, at) => {
  const others = keysOf(at.value).filter((key) => at.evaluated?.has(key) !== true);
  evaluateAll(at);
  return run.each(others, (unevaluatedProperty) =>
    stated === false
      ? run.report(at, 'unevaluatedProperties', { unevaluatedProperty })
      : run.inside(stated, at, unevaluatedProperty),
  );
};

const IN_PLACE: readonly Listed<Check>[] = [
  [
    'not',
    undefined,
    (run, stated, at) => !run.tells(stated, at.value, at.place) || run.report(at, 'not', {}),
  ],
  ['anyOf', undefined, (run, stated, at) => run.alternatives('anyOf', stated, at)],
  ['oneOf', undefined, (run, stated, at) => run.alternatives('oneOf', stated, at)],
  ['allOf', undefined, (run, stated, at) => run.each(listOf(stated), (one) => run.inPlace(one, at))],
  ['if', undefined, conditional],
];

const OF_ARRAYS: readonly Listed<Check>[] = [
  ['prefixItems', 'array', first],
  ['items', 'array', further],
  ['contains', 'array', contained],
  ['unevaluatedItems', 'array', otherItems],
];

const OF_OBJECTS: readonly Listed<Check>[] = [
  ['propertyNames', 'object', named],
  ['additionalProperties', 'object', additional],
  ['dependencies', 'object', dependent],
  ['properties', 'object', declared],
  ['patternProperties', 'object', matching],
  ['dependentSchemas', 'object', dependent],
  ['unevaluatedProperties', 'object', otherProperties],
];

function assertionsOf(...types: readonly string[]): readonly Listed<Check>[] {
  return ASSERTIONS.filter(([, type]) => types.includes(type ?? 'any')).map(asserted);
}

const matched: Check = (run, pattern, at) =>
  typeof pattern !== 'string' ||
  typeof at.value !== 'string' ||
  run.prepared.isMatch(pattern, at.value) ||
  run.report(at, 'pattern', { pattern });

/** The keywords in the order in which Ajv looks at them. */
export const CHECKS: readonly Listed<Check>[] = [
  [
    '$ref',
    undefined,
    (run, stated, at) => typeof stated !== 'string' || run.inPlace(run.prepared.targetOf(stated), at),
  ],
  ...assertionsOf('number', 'string'),
  ['pattern', 'string', matched],
  ...assertionsOf('any'),
  ...IN_PLACE,
  ...assertionsOf('array'),
  ...OF_ARRAYS,
  ...assertionsOf('object'),
  ...OF_OBJECTS,
];
