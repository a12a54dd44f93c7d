/**
 * Arguments that clients mirror in `Mcp-Param-…` headers, by `x-mcp-header` in a tool's input schema.
 * Invariant: a schema whose headers a client would have to refuse is never served (MCP 2026-07-28, Streamable
 * HTTP › Custom Headers: clients must drop such a tool).
 */
import { isSchema, type JsonSchema, MCP_HEADER as KEYWORD } from '../contract/schema';
import type { JsonValue } from '../errors/body';

/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const TYPES: readonly unknown[] = ['string', 'integer', 'boolean'];

interface Found {
  readonly pointer: string;
  readonly name: JsonValue | undefined;
  readonly type: JsonValue | undefined;
  /** Whether only `properties` lead there. */
  readonly isReachable: boolean;
}

/** Every place that names a header. `isReachable` is lost below any keyword but `properties`. */
function* declarations(node: JsonValue, pointer: string, isReachable: boolean): Generator<Found> {
  if (Array.isArray(node)) {
    for (const [index, item] of node.entries()) yield* declarations(item, `${pointer}/${index}`, false);
    return;
  }
  if (!isSchema(node)) return;
  if (Object.hasOwn(node, KEYWORD)) yield { pointer, name: node[KEYWORD], type: node.type, isReachable };
  for (const [keyword, value] of Object.entries(node)) {
    if (keyword === 'properties' && isSchema(value)) {
      for (const [name, property] of Object.entries(value)) {
        yield* declarations(property, `${pointer}/properties/${name}`, isReachable);
      }
    } else if (keyword !== 'default' && keyword !== 'examples' && keyword !== 'const' && keyword !== 'enum') {
      yield* declarations(value, `${pointer}/${keyword}`, false);
    }
  }
}

/** Tells whether any argument is mirrored in a header. */
export function takesParamHeaders(schema: JsonSchema): boolean {
  return declarations(schema, '#', true).next().done !== true;
}

/** What is wrong with the headers that a schema names, in words. */
export function paramHeaderFaults(schema: JsonSchema): readonly string[] {
  const seen = new Set<string>();
  return [...declarations(schema, '#', true)].flatMap(({ pointer, name, type, isReachable }) => {
    if (typeof name !== 'string' || !TOKEN.test(name)) {
      return [`${pointer}: ${KEYWORD} is no header name; write letters, digits and hyphens`];
    }
    const faults: string[] = [];
    if (!isReachable) {
      faults.push(
        `${pointer}: ${KEYWORD} stands only on properties of the arguments, and of objects in them`,
      );
    }
    if (!TYPES.includes(type)) {
      faults.push(`${pointer}: ${KEYWORD} stands only on a string, an integer or a boolean`);
    }
    if (seen.has(name.toLowerCase())) faults.push(`${pointer}: ${KEYWORD} ${name} is named twice`);
    seen.add(name.toLowerCase());
    return faults;
  });
}
