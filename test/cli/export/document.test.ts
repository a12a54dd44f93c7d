/**
 * The document of one tool.
 * Invariant: CASES CLI-04: alone it loads in a strict validator, resolves all that it refers to, and whatever it
 * shows as an example or a default satisfies it.
 */
import Ajv2020 from 'ajv/dist/2020';
import { inputContract, type JsonSchema, NoInput, type ToolSpec } from 'toolcrib';
import { toDocuments } from '../../../src/cli/export/document';
import { toDocument } from '../../../src/schema/document';
import { makeSpec } from '../../fixtures/hand-made-spec';
import { OrderDesk, RemindInput } from '../order-desk';
import { openClasses } from '../workspace';

let specs: readonly ToolSpec[];
beforeAll(async () => {
  specs = (await openClasses(OrderDesk)).registry.list();
});

function specOf(name: string): ToolSpec {
  const spec = specs.find((one) => one.name === name);
  if (spec === undefined) throw new Error(`there is no ${name}`);
  return spec;
}

/** A tool whose schemas are given as they are. */
function rawSpec(input: JsonSchema, output?: JsonSchema): ToolSpec {
  const { input: contract, output: answer } = makeSpec('a.b');
  return makeSpec('a.b', '1.0.0', {
    input: { ...contract, schema: input },
    output: { ...answer, schema: output },
  });
}

function problemsOf(...broken: readonly ToolSpec[]): unknown {
  try {
    return toDocuments(broken);
  } catch (error) {
    return error;
  }
}

describe('a document', () => {
  it('CLI-04: is the input schema under the key, and the output schema in it with an $id', () => {
    const spec = specOf('orders.lookup');
    const id = 'urn:toolcrib:orders.lookup@1.0.0:output';
    expect(toDocument(spec)).toEqual({
      ...spec.input.schema,
      title: 'orders.lookup@1.0.0',
      description: 'Look up an order',
      $defs: { [id]: { $id: id, ...spec.output.schema } },
    });
  });

  it('CLI-04: alone compiles in strict mode, both for the input and for the output', () => {
    for (const document of toDocuments(specs)) {
      const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
      expect(ajv.validateSchema(document)).toBe(true);
      expect(() => ajv.compile(document)).not.toThrow();
    }
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
    const accepts = ajv.compile(toDocument(specOf('orders.lookup')));
    expect([accepts({ order_id: 'ORD-1234' }), accepts({ order_id: 'x' })]).toEqual([true, false]);
    const answers = ajv.getSchema('urn:toolcrib:orders.lookup@1.0.0:output');
    const order = (weight_g: number) => ({ order_id: 'ORD-1234', parcels: [{ weight_g }] });
    expect([answers?.(order(1)), answers?.(order(0))]).toEqual([true, false]);
  });

  it('CLI-04: carries the dialect where the contract does not', () => {
    expect(toDocument(rawSpec({ type: 'object' }))).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'a.b@1.0.0',
      description: 'The tool a.b',
      type: 'object',
    });
  });

  it('says that a tool is deprecated, and keeps the words of its input', () => {
    const { title, description, deprecated } = toDocument(
      makeSpec('a.b', '1.0.0', {
        deprecated: 'use a.c',
        input: {
          ...inputContract(NoInput),
          schema: { title: 'In', description: 'All of it', type: 'object' },
        },
      }),
    );
    expect([title, description, deprecated]).toEqual([
      'a.b@1.0.0',
      'The tool a.b (Deprecated: use a.c.)\nAll of it',
      true,
    ]);
  });

  it('leaves the contract as it is', () => {
    const before = JSON.stringify(inputContract(RemindInput).schema);
    toDocuments(specs);
    expect(JSON.stringify(specOf('orders.remind').input.schema)).toBe(before);
  });
});

describe('an export that is refused', () => {
  it.each<[string, JsonSchema]>([
    ['a type that does not exist', { type: 'int' }],
    [
      'a boolean exclusiveMinimum',
      { type: 'object', properties: { a: { type: 'number', exclusiveMinimum: true } } },
    ],
    ['a keyword that does not exist', { type: 'object', propertys: {} }],
    ['a reference to nothing', { type: 'object', properties: { a: { $ref: '#/$defs/A' } } }],
    [
      'a reference to another document',
      { type: 'object', properties: { a: { $ref: 'https://example.com/a' } } },
    ],
    ['another dialect', { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' }],
    ['a pattern that is none', { type: 'object', properties: { a: { type: 'string', pattern: '(' } } }],
  ])('CLI-04: has %s, in the input or in the output', (_, broken) => {
    for (const spec of [rawSpec(broken), rawSpec({ type: 'object' }, broken)]) {
      expect(problemsOf(spec)).toMatchObject({
        code: 'illegal_export',
        problems: [{ code: 'illegal_schema', place: { tool: 'a.b@1.0.0' } }],
      });
    }
  });

  it('CLI-04: shows examples and defaults that break the schema, wherever they stand', () => {
    const inner = {
      type: 'object',
      properties: { n: { type: 'integer', default: 'x', examples: [1, 1.5] } },
    };
    const input = {
      type: 'object',
      examples: [{}, []],
      properties: {
        examples: { type: 'string', examples: ['fine'] },
        'a/b': { $ref: '#/$defs/Inner', examples: [{ n: 1 }, { n: 'y' }] },
      },
      $defs: { Inner: inner },
    };
    const output = { type: 'array', items: { $ref: '#/$defs/Inner' }, $defs: { Inner: inner } };
    const place = (schemaPath: string) => ({ tool: 'a.b@1.0.0', schemaPath });
    expect(problemsOf(rawSpec(input, output))).toMatchObject({
      problems: [
        { code: 'illegal_example', place: place('#/inputSchema') },
        { code: 'illegal_example', place: place('#/inputSchema/properties/a~1b') },
        { code: 'illegal_default', place: place('#/inputSchema/%24defs/Inner/properties/n') },
        { code: 'illegal_example', place: place('#/inputSchema/%24defs/Inner/properties/n') },
        { code: 'illegal_default', place: place('#/outputSchema/%24defs/Inner/properties/n') },
        { code: 'illegal_example', place: place('#/outputSchema/%24defs/Inner/properties/n') },
      ],
    });
  });

  it('names the tools that are at fault, and exports none', () => {
    const sound = makeSpec('c.d');
    expect(problemsOf(sound, rawSpec({ type: 'int' }))).toMatchObject({
      problems: [{ place: { tool: 'a.b@1.0.0' } }],
    });
  });
});
