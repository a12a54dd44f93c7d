/**
 * Tells whether a schema takes null.
 * Invariant: keywords that judge only other types say nothing about null, as JSON Schema has it.
 */
import { isSchema, type JsonSchema } from '../../contract/schema';
import { follow, listedSources, type Source } from './source';

/** Tells whether all sources take null. References lead into `root`; one that leads to itself takes all. */
export function acceptsNull(
  sources: readonly Source[],
  root: JsonSchema,
  open: ReadonlySet<string> = new Set(),
): boolean {
  const accepts = (source: Source, within = open) => acceptsNull([source], root, within);
  return sources.every((source) => {
    const { schema, at } = source;
    if (!isSchema(schema)) return schema;
    const { type, enum: values, const: only, $ref: ref, not } = schema;
    if (type !== undefined && type !== 'null' && !(Array.isArray(type) && type.includes('null')))
      return false;
    if (Array.isArray(values) && !values.includes(null)) return false;
    if (only !== undefined && only !== null) return false;
    if (typeof ref === 'string' && !open.has(ref)) {
      const target = follow(root, ref);
      if (target === undefined || !accepts(target, new Set([...open, ref]))) return false;
    }
    const anyOf = listedSources(source, 'anyOf');
    const oneOf = listedSources(source, 'oneOf');
    if (anyOf.length > 0 && !anyOf.some((branch) => accepts(branch))) return false;
    if (oneOf.length > 0 && oneOf.filter((branch) => accepts(branch)).length !== 1) return false;
    if (isSchema(not) && accepts({ schema: not, at })) return false;
    return listedSources(source, 'allOf').every((part) => accepts(part));
  });
}
