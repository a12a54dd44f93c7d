/**
 * Tells whether a schema admits objects alone, as the arguments of a tool must be.
 * Invariant: it is read off the schema; where that cannot tell, the answer is no.
 */
import { isSchema, type JsonSchema } from '../../contract/schema';
import type { JsonValue } from '../../errors/body';

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** Tells whether a schema in its gate form, free of loops at one value, admits objects alone. */
export function admitsOnlyObjects(root: JsonSchema): boolean {
  const definitions = isSchema(root.$defs) ? root.$defs : {};
  const isOfObjects = (schema: JsonValue | undefined): boolean => {
    if (schema === false) return true;
    if (!isSchema(schema)) return false;
    const { type, $ref, anyOf, oneOf, allOf } = schema;
    const types = Array.isArray(type) ? type : [type];
    if (types.every((one) => one === 'object')) return true;
    if ('const' in schema && isSchema(schema.const)) return true;
    if (Array.isArray(schema.enum) && schema.enum.every(isSchema)) return true;
    if (typeof $ref === 'string' && isOfObjects(definitions[$ref.slice('#/$defs/'.length)])) return true;
    if (listOf(allOf).some(isOfObjects)) return true;
    return [anyOf, oneOf].some(
      (branches) => listOf(branches).length > 0 && listOf(branches).every(isOfObjects),
    );
  };
  return isOfObjects(root);
}
