/**
 * Contracts made from raw JSON Schemas: what they accept, and in which words they refuse.
 * Invariant: a value is accepted exactly when the schema, read by its own draft, accepts it.
 */
import Ajv7 from 'ajv';
import Ajv2020 from 'ajv/dist/2020';
import * as fc from 'fast-check';
import { type JsonSchema, schemaInputContract, schemaOutputContract } from 'toolcrib';
import { forAllAwaited } from '../fixtures/for-all';
import { violationsIn } from '../fixtures/verdicts';

const DRAFT_7 = 'http://json-schema.org/draft-07/schema#';

async function accepts(schema: unknown, value: unknown): Promise<boolean> {
  return (await schemaInputContract(schema).parse(value)).ok;
}

/** A schema of an object whose property `v` is of another schema. */
function around(v: unknown, rest: object = {}): object {
  return { type: 'object', properties: { v }, ...rest };
}

describe('a contract from a schema', () => {
  it('has no DTO and no further rules, and holds a frozen copy', () => {
    const given = { type: 'object', properties: { a: { type: 'string', 'x-note': { b: [1] } } } };
    const contract = schemaInputContract(given);
    given.properties.a.type = 'number';
    expect(contract.dto).toBeUndefined();
    expect(contract.validatorOnlyRules).toEqual([]);
    expect(contract.schema).toEqual({
      type: 'object',
      properties: { a: { type: 'string', 'x-note': { b: [1] } } },
    });
    expect(Object.isFrozen(contract.schema.properties)).toBe(true);
  });

  it('gives what was given, and fills in no default', async () => {
    const contract = schemaInputContract(around({ type: 'integer', default: 5 }));
    contract.warm();
    expect(await contract.parse({ free: [1] })).toEqual({
      ok: true,
      value: { free: [1] },
      json: { free: [1] },
    });
    expect(await contract.parse(undefined)).toMatchObject({ ok: true, value: {} });
    expect(await contract.parse(null)).toMatchObject({ ok: true, value: {} });
  });

  it('reads a format as an annotation, and ignores what it does not know', async () => {
    const schema = around({ type: 'string', format: 'email', nullable: true, 'x-a': 1, $async: true });
    expect(await accepts(schema, { v: 'no address' })).toBe(true);
    expect(await accepts({ ...schema, $async: true }, { v: 1 })).toBe(false);
    expect(await accepts(schema, { v: null })).toBe(false);
  });

  it.each([
    ['text', 'hi'],
    ['a number', 5],
    ['an array', [{}]],
    ['true', true],
  ])('refuses arguments that are %s', async (_, args) => {
    expect(await accepts({ type: 'object' }, args)).toBe(false);
  });

  it('keeps the limits of all arguments', async () => {
    const contract = schemaInputContract({ type: 'object' });
    const limits = { maxDepth: 2, maxElements: 5, maxBytes: 10 };
    const rules = async (args: unknown) =>
      violationsIn(await contract.parse(args, limits)).map(({ rule }) => rule);
    expect(await rules({ a: { b: { c: 1 } } })).toEqual(['maxDepth']);
    expect(await rules([1, 2, 3, 4, 5])).toEqual(['maxElements']);
    expect(await rules({ a: 'x'.repeat(11) })).toEqual(['maxBytes']);
    expect(await rules({ a: 1n })).toEqual(['isJson']);
  });

  it('names place, keyword and demand, and never the value', async () => {
    const contract = schemaInputContract({
      type: 'object',
      required: ['id'],
      additionalProperties: false,
      properties: {
        id: { type: 'string', pattern: '^[a-z]+$' },
        lines: { type: 'array', items: { type: 'object', properties: { qty: { minimum: 1 } } } },
        kind: { enum: ['a', 'b'] },
        never: false,
      },
    });
    const secret = 'SECRET-9';
    const args = { lines: [{}, { qty: 0 }], kind: secret, [`a/${secret.length}`]: 1, never: 1 };
    const violations = violationsIn(await contract.parse(args));
    expect(violations.map(({ path, rule }) => [path, rule])).toEqual([
      ['/id', 'required'],
      ['/a~18', 'additionalProperties'],
      ['/lines/1/qty', 'minimum'],
      ['/kind', 'enum'],
      ['/never', 'false'],
    ]);
    expect(JSON.stringify(violations)).not.toContain(secret);
    expect(violations[2]?.message).toBe('qty must be at least 1');
    expect(violations[3]?.message).toBe('kind must be one of ["a","b"]');
  });

  it('lists at most 20 violations', async () => {
    const contract = schemaInputContract(around({ type: 'array', items: { type: 'string' } }));
    const args = { v: Array.from({ length: 100 }, (_, at) => at) };
    expect(violationsIn(await contract.parse(args))).toHaveLength(20);
  });

  it('refuses the key __proto__ at every depth, and asks for own members alone', async () => {
    const contract = schemaInputContract({ type: 'object' });
    for (const text of ['{"__proto__":{"x":1}}', '{"a":[{"__proto__":1}]}']) {
      expect(violationsIn(await contract.parse(JSON.parse(text)))).toMatchObject([{ rule: 'propertyNames' }]);
    }
    for (const name of ['constructor', 'toString', 'hasOwnProperty']) {
      expect(await accepts({ type: 'object', required: [name] }, {})).toBe(false);
      expect(await accepts({ type: 'object', required: [name] }, { [name]: 1 })).toBe(true);
      expect(await accepts({ type: 'object', properties: { [name]: { type: 'string' } } }, {})).toBe(true);
    }
  });
});

describe('a value whose check would multiply', () => {
  const branch = (op: string): object => ({
    required: ['op'],
    properties: { op: { const: op }, left: { $ref: '#/$defs/node' }, right: { $ref: '#/$defs/node' } },
  });
  const trees = around(
    { $ref: '#/$defs/node' },
    { $defs: { node: { anyOf: [{ type: 'number' }, branch('add'), branch('mul')] } } },
  );
  const chain = (levels: number): unknown => {
    let node: unknown = 1;
    for (let level = 0; level < levels; level += 1) node = { op: 'add', left: node };
    return { v: node };
  };

  it('is refused by maxSteps from some depth on, and not before', async () => {
    const contract = schemaInputContract(trees);
    expect(await contract.parse(chain(8))).toMatchObject({ ok: true });
    expect(await contract.parse(chain(60))).toMatchObject({ violations: [{ path: '', rule: 'maxSteps' }] });
  });

  it.each([
    ['objects', (at: number): unknown => ({ at }), 600, 1_000],
    ['texts', (at: number): unknown => `k${at}`, 3_500, 6_000],
  ])('of %s in a list of distinct elements, is one of thousands', async (_, make, few, many) => {
    const contract = schemaInputContract(around({ uniqueItems: true }));
    const list = (length: number) => ({ v: Array.from({ length }, (_element, at) => make(at)) });
    expect(await contract.parse(list(few))).toMatchObject({ ok: true });
    expect(await contract.parse(list(many))).toMatchObject({ violations: [{ rule: 'maxSteps' }] });
  });

  it('is no plain list or tree within the limits of arguments', async () => {
    const rows = around(
      { type: 'array', items: { $ref: '#/$defs/row' } },
      {
        $defs: {
          row: { type: 'object', required: ['a', 'b'], properties: { a: { type: 'integer' }, b: {} } },
        },
      },
    );
    const row = { a: 1, b: 'x' };
    const many = { v: Array.from({ length: 6_000 }, () => row) };
    expect(await schemaInputContract(rows).parse(many)).toMatchObject({ ok: true });
  });

  it('cannot make elements compare themselves', async () => {
    const contract = schemaInputContract(around({ uniqueItems: true }));
    for (const name of ['valueOf', 'toString']) {
      const outcome = await contract.parse({ v: [{ [name]: 1 }, { [name]: 1 }] });
      expect(outcome).toMatchObject({ ok: false, violations: [{ rule: 'isJson' }] });
    }
  });
});

describe('the output contract of a schema', () => {
  it('takes any root, and converts as every output is', async () => {
    const contract = schemaOutputContract({ type: 'array', items: { type: 'integer' } });
    contract.warm();
    expect(await contract.parse([1, 2])).toEqual({ ok: true, value: [1, 2] });
    expect(await contract.parse(['a'])).toMatchObject({
      ok: false,
      violations: [{ path: '/0', rule: 'type' }],
    });
    expect(await contract.parse([1, 2], 2)).toMatchObject({ violations: [{ rule: 'maxBytes' }] });
    const text = schemaOutputContract({ type: 'string' });
    expect(await text.parse(new Date(0))).toEqual({ ok: true, value: '1970-01-01T00:00:00.000Z' });
  });
});

const leaf: fc.Arbitrary<JsonSchema> = fc.oneof(
  fc.record({ type: fc.constantFrom('string', 'integer', 'number', 'boolean', 'null', 'array', 'object') }),
  fc.record({ type: fc.constant(['string', 'null']), maxLength: fc.nat(3) }, { requiredKeys: ['type'] }),
  fc.record({ minimum: fc.integer({ min: -2, max: 2 }), exclusiveMaximum: fc.nat(4) }, { requiredKeys: [] }),
  fc.record({ minLength: fc.nat(3), pattern: fc.constantFrom('^a', 'b$', '.') }, { requiredKeys: [] }),
  fc.record({ const: fc.constantFrom(0, 1, 'a', null, [1], { a: 1 }) }),
  fc.record({ enum: fc.constantFrom([1, 'a'], [null], [{ a: 1 }, []]) }),
  fc.record({ multipleOf: fc.constantFrom(1, 2, 0.5), uniqueItems: fc.boolean() }, { requiredKeys: [] }),
  fc.record(
    {
      required: fc.constantFrom(['a'], ['a', 'b'], []),
      maxProperties: fc.nat(2),
      minItems: fc.nat(2),
      maxItems: fc.nat(3),
    },
    { requiredKeys: [] },
  ),
);

/** Small schemas of a draft, whose references lead to two definitions, one of them recursive. */
function schemas(isDraft7: boolean): fc.Arbitrary<JsonSchema> {
  const definitions = isDraft7 ? 'definitions' : '$defs';
  const { node } = fc.letrec<{ node: JsonSchema; any: JsonSchema | boolean }>((tie) => ({
    any: fc.oneof({ weight: 8, arbitrary: tie('node') }, { weight: 1, arbitrary: fc.boolean() }),
    node: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      leaf,
      fc.constantFrom({ $ref: `#/${definitions}/leaf` }, { $ref: `#/${definitions}/list`, maxItems: 1 }),
      fc.record(
        {
          properties: fc.record({ a: tie('any'), b: tie('any') }, { requiredKeys: [] }),
          patternProperties: fc.record({ '^c': tie('any') }, { requiredKeys: [] }),
          additionalProperties: tie('any'),
          propertyNames: fc.constantFrom<JsonSchema | boolean>(
            { maxLength: 1 },
            { pattern: '^[ab]' },
            true,
            false,
          ),
          dependencies: fc.constantFrom({ a: ['b'] }, { a: { required: ['b'] } }),
          ...(isDraft7
            ? {}
            : { unevaluatedProperties: tie('any'), dependentRequired: fc.constant({ b: ['a'] }) }),
        },
        { requiredKeys: [] },
      ),
      isDraft7
        ? fc.record(
            {
              items: fc.oneof(tie('any'), fc.array(tie('any'), { minLength: 1, maxLength: 2 })),
              additionalItems: tie('any'),
              contains: tie('any'),
            },
            { requiredKeys: [] },
          )
        : fc.record(
            {
              prefixItems: fc.array(tie('any'), { minLength: 1, maxLength: 2 }),
              items: tie('any'),
              contains: tie('any'),
              minContains: fc.nat(2),
              unevaluatedItems: tie('any'),
            },
            { requiredKeys: [] },
          ),
      fc.record(
        {
          allOf: fc.array(tie('any'), { minLength: 1, maxLength: 2 }),
          anyOf: fc.array(tie('any'), { minLength: 1, maxLength: 2 }),
          oneOf: fc.array(tie('any'), { minLength: 1, maxLength: 2 }),
          not: tie('any'),
          if: tie('any'),
          ...Object.fromEntries([['then', tie('any')]]),
          else: tie('any'),
        },
        { requiredKeys: [] },
      ),
    ),
  }));
  return fc.record({ v: node, leaf }).map(({ v, leaf: one }) => ({
    ...(isDraft7 ? { $schema: DRAFT_7 } : {}),
    ...around(v),
    [definitions]: { leaf: one, list: { type: 'array', items: { $ref: `#/${definitions}/list` } } },
  }));
}

const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom(null, true, 0, 1, -1, 1.5, 3, 'a', 'ab', 'cab', '', [], {}),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.record(
      { a: tie('json'), b: tie('json'), c1: tie('json') },
      { requiredKeys: [], noNullPrototype: true },
    ),
  ),
}));

describe.each([
  ['2020-12', false],
  ['7', true],
])('small schemas of draft %s', (_, isDraft7) => {
  it('accept what Ajv accepts by them', async () => {
    const options = {
      strict: false,
      allErrors: true,
      ignoreKeywordsWithRef: isDraft7,
      logger: false,
    } as const;
    const Ajv = isDraft7 ? Ajv7 : Ajv2020;
    const tally = { accepted: 0, refused: 0 };
    const pair = fc.tuple(schemas(isDraft7), fc.array(json, { minLength: 5, maxLength: 5 }));
    await forAllAwaited(
      pair,
      async ([schema, values]) => {
        const validate = new Ajv(options).compile(schema);
        const contract = schemaInputContract(schema);
        for (const v of values) {
          const expected = validate({ v });
          tally[expected ? 'accepted' : 'refused'] += 1;
          expect([schema, v, (await contract.parse({ v })).ok]).toEqual([schema, v, expected]);
        }
      },
      120,
    );
    expect(Math.min(tally.accepted, tally.refused)).toBeGreaterThan(80);
  }, 60_000);
});
