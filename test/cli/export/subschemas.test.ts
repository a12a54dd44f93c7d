/**
 * The nodes of a schema.
 * Invariant: every schema inside is reached once, and nothing that is data is taken for one.
 */
import { subschemasOf } from '../../../src/cli/export/subschemas';

it('reaches what each keyword holds', () => {
  const schema = {
    type: 'object',
    properties: { 'a/b c': { type: 'string' }, default: { enum: ['x'] } },
    patternProperties: { '^x': { minimum: 1 } },
    additionalProperties: { items: { not: { const: 1 } } },
    allOf: [true, { required: ['a'] }],
    $defs: { 'urn:x': { prefixItems: [{ type: 'null' }] } },
    default: { properties: { hidden: { type: 'string' } } },
    examples: [{ items: { type: 'string' } }],
  };
  expect(subschemasOf(schema).map(({ path }) => path)).toEqual([
    '#',
    '#/additionalProperties',
    '#/additionalProperties/items',
    '#/additionalProperties/items/not',
    '#/properties/a~1b%20c',
    '#/properties/default',
    '#/patternProperties/%5Ex',
    '#/%24defs/urn%3Ax',
    '#/%24defs/urn%3Ax/prefixItems/0',
    '#/allOf/1',
  ]);
});
