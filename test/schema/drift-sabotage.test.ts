/**
 * The drift check, checked: it finds each of many deliberate faults in a schema.
 * Invariant: a fault is shared by schema and gate, as a wrong emitter would make it, and a schema without a
 * fault passes.
 */
import fc from 'fast-check';
import { inputContract, type JsonSchema } from 'toolcrib';
import { compileStrictly, isJsonObject } from '../fixtures/strict-schema';
import { checkCase, Drift, newTally, SMALL_EXACT_CASES, type Subject, type Tally } from './drift/check';

const PATIENCE_MS = 60_000;

/** Rewrites every object of a schema, from the inside out. */
function rewrite(schema: JsonSchema, change: (node: JsonSchema) => JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (_, value) => (isJsonObject(value) ? change(value) : value));
}

function without(...keywords: readonly string[]) {
  return (node: JsonSchema): JsonSchema =>
    Object.fromEntries(Object.entries(node).filter(([key]) => !keywords.includes(key)));
}

function mapped(keyword: string, change: (value: number) => number) {
  return (node: JsonSchema): JsonSchema => {
    const value = node[keyword];
    return typeof value === 'number' ? { ...node, [keyword]: change(value) } : node;
  };
}

/** A contract whose schema and gate share a fault, as a wrong emitter would make it. */
function sabotaged(change: (node: JsonSchema) => JsonSchema): Subject {
  return (cls) => {
    const contract = inputContract(cls);
    const schema = rewrite(contract.schema, change);
    const admits = compileStrictly(schema);
    return {
      schema,
      parse: async (raw) => {
        if (admits(raw)) return { ok: true, value: raw, json: null };
        const outcome = await contract.parse(raw);
        return outcome.ok
          ? { ok: false, violations: [{ path: '/alpha', rule: 'sabotage', message: '' }] }
          : outcome;
      },
    };
  };
}

const FAULTS: readonly (readonly [string, (node: JsonSchema) => JsonSchema])[] = [
  ['a dropped minimum', without('minimum')],
  ['a dropped exclusiveMinimum', without('exclusiveMinimum')],
  ['a dropped maxLength', without('maxLength')],
  ['a dropped pattern', without('pattern')],
  ['a dropped enum', (node) => ('enum' in node && 'type' in node ? without('enum')(node) : node)],
  ['a dropped uniqueItems', without('uniqueItems')],
  ['a dropped not', (node) => ('$ref' in node ? without('not')(node) : node)],
  ['a dropped allOf', without('allOf')],
  ['required that is lost', without('required')],
  ['objects left open', without('additionalProperties')],
  ['a maximum that is one lower', mapped('maximum', (value) => value - 1)],
  ['a maxLength that is one shorter', mapped('maxLength', (value) => Math.max(0, value - 1))],
  ['a minLength that is one longer', mapped('minLength', (value) => value + 1)],
  [
    'null that is lost',
    (node) =>
      Array.isArray(node.type) && node.type.length === 2 ? { ...node, type: [node.type[0] ?? null] } : node,
  ],
  ['integers for numbers', (node) => (node.type === 'number' ? { ...node, type: 'integer' } : node)],
];

describe('the drift check', () => {
  const checkSabotaged = (change: (node: JsonSchema) => JsonSchema, tally: Tally) =>
    fc.check(
      fc.asyncProperty(SMALL_EXACT_CASES, (one) => checkCase(one, sabotaged(change), tally)),
      { seed: 20260131, numRuns: 300, endOnFailure: true },
    );

  it.each(FAULTS)(
    'finds %s',
    async (_, change) => {
      const outcome = await checkSabotaged(change, newTally());
      expect(outcome.failed).toBe(true);
      expect(outcome.errorInstance).toBeInstanceOf(Drift);
    },
    PATIENCE_MS,
  );

  it(
    'finds nothing in a schema that is rewritten without a fault',
    async () => {
      const tally = newTally();
      expect((await checkSabotaged((node) => node, tally)).failed).toBe(false);
      expect(tally.accepted).toBeGreaterThan(0);
    },
    PATIENCE_MS,
  );
});
