/**
 * The meta-schemas against Ajv's own check of a schema.
 * Invariant: whatever stands under the keywords of a draft, both say the same of it.
 */
import Ajv7 from 'ajv';
import Ajv2020 from 'ajv/dist/2020';
import * as fc from 'fast-check';
import type { JsonSchema } from 'toolcrib';
import { metaSchemaProblems } from '../../../src/validation/imported/meta-schema';
import { forAll } from '../../fixtures/for-all';

const KEYWORDS = [
  ...[
    'type',
    'const',
    'multipleOf',
    'maximum',
    'minLength',
    'maxItems',
    'uniqueItems',
    'pattern',
    'required',
  ],
  ...[
    'items',
    'prefixItems',
    'additionalItems',
    'contains',
    'minContains',
    'unevaluatedItems',
    'allOf',
    'not',
  ],
  ...['properties', 'patternProperties', 'additionalProperties', 'propertyNames', 'dependencies', 'if', 'x'],
  ...['dependentRequired', 'dependentSchemas', '$defs', 'definitions', '$ref', '$id', '$anchor', '$comment'],
  ...['$dynamicRef', '$dynamicAnchor', '$vocabulary', 'title', 'default', 'examples', 'format', 'deprecated'],
];

const scalar = fc.constantFrom<JsonSchema[string]>(
  null,
  true,
  false,
  0,
  1,
  -1,
  1.5,
  'a',
  '#a',
  'string',
  'object',
);
const inner = fc.oneof(
  scalar,
  fc.constantFrom([], {}, ['a'], ['a', 'a'], [{}], ['string', 'null'], { type: 'string' }, { type: 1 }),
  fc.dictionary(fc.constantFrom(...KEYWORDS), scalar, { maxKeys: 2, noNullPrototype: true }),
);
const schemas = fc.dictionary(fc.constantFrom(...KEYWORDS), inner, {
  minKeys: 1,
  maxKeys: 2,
  noNullPrototype: true,
});

const OPTIONS = { strict: false, validateFormats: false, logger: false } as const;

describe.each([
  ['2020-12' as const, new Ajv2020(OPTIONS), 'https://json-schema.org/draft/2020-12/schema'],
  ['7' as const, new Ajv7(OPTIONS), 'http://json-schema.org/draft-07/schema'],
])('the meta-schema of draft %s', (draft, ajv, id) => {
  it('refuses what Ajv refuses by it, at a place inside', () => {
    const tally = { valid: 0, invalid: 0 };
    const claim = (schema: JsonSchema): void => {
      const isValid = ajv.validate(id, schema) === true;
      tally[isValid ? 'valid' : 'invalid'] += 1;
      const problems = metaSchemaProblems(schema, draft, '/at');
      expect([schema, problems.length === 0]).toEqual([schema, isValid]);
      for (const { place } of problems) expect(place.schema).toMatch(/^#\/at/);
    };
    forAll(schemas, claim, 1_000);
    expect(Math.min(tally.valid, tally.invalid)).toBeGreaterThan(100);
  });
});
