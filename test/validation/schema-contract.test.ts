/**
 * Contracts made from raw JSON Schemas: what they accept, and in which words they refuse.
 * Invariant: a value is accepted exactly when the schema, read by its own draft, accepts it.
 */
import { IsOptional, Length, MaxLength } from 'class-validator';
import { inputContract, schemaInputContract, schemaOutputContract } from 'toolcrib';
import { violationsIn } from '../fixtures/verdicts';

async function accepts(schema: unknown, value: unknown): Promise<boolean> {
  return (await schemaInputContract(schema).parse(value)).ok;
}

/** A schema of an object whose property `v` is of another schema. */
function around(v: unknown, rest: object = {}): object {
  return { type: 'object', properties: { v }, ...rest };
}

it('takes what the package itself has emitted', async () => {
  class Own {
    @Length(100, 5_000) text!: string;
    @IsOptional() @MaxLength(40) note?: string;
  }
  const contract = schemaInputContract(JSON.parse(JSON.stringify(inputContract(Own).schema)));
  expect(await contract.parse({ text: 'a'.repeat(100) })).toMatchObject({ ok: true });
  expect(await contract.parse({ text: 'a'.repeat(99) })).toMatchObject({ ok: false });
});

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

  it.each(['dependentRequired', 'dependencies'])('of %s counts each name', async (keyword) => {
    const names = Array.from({ length: 1_000 }, (_, at) => `n${at}`);
    const contract = schemaInputContract(around({ items: { [keyword]: { a: names } } }));
    const list = (length: number) => ({ v: Array.from({ length }, () => ({ a: 1 })) });
    expect(violationsIn(await contract.parse(list(20)))).toHaveLength(20);
    expect(await contract.parse(list(800))).toMatchObject({ violations: [{ rule: 'maxSteps' }] });
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
