/**
 * Finds the declared field that a violation is about.
 * Invariant: the path is made of names that the schema declares, and of `*`; nothing of a caller's text is in it.
 */

import type { DeclaredViolation } from '../contract/observer';
import { childPointer } from '../contract/pointer';
import { isSchema, type JsonSchema, type Violation } from '../contract/schema';
import type { JsonValue } from '../errors/body';

/** Stands for any element, and for any key of a map. */
const ANY = '*';

/** Schemas that refer to themselves declare paths without an end; what lies deeper goes by its ancestor. */
const MAX_TOKENS = 8;

/** Applicators whose schemas hold for the same place as their own. */
const IN_PLACE = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'not'];

function unescaped(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

function decoded(token: string): string {
  try {
    return unescaped(decodeURIComponent(token));
  } catch {
    return unescaped(token);
  }
}

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

/** The schema that a reference within its document leads to. */
function referred(root: JsonSchema, ref: string): JsonValue | undefined {
  if (!ref.startsWith('#')) return undefined;
  const tokens = ref.slice(1).split('/').slice(1).map(decoded);
  return tokens.reduce<JsonValue | undefined>(memberOf, root);
}

/** All schemas that hold for the place of some, themselves included. */
function inPlace(root: JsonSchema, given: readonly (JsonValue | undefined)[]): readonly JsonSchema[] {
  const found = new Set<JsonSchema>();
  const left = [...given];
  for (let one = left.pop(); left.length > 0 || one !== undefined; one = left.pop()) {
    if (!isSchema(one) || found.has(one)) continue;
    found.add(one);
    if (typeof one.$ref === 'string') left.push(referred(root, one.$ref));
    for (const keyword of IN_PLACE) left.push(...[one[keyword] ?? []].flat());
  }
  return [...found];
}

/** Where a token leads from one schema: the name of its place, and the schema of what is there. */
interface Step {
  readonly name: string;
  readonly schema: JsonValue | undefined;
}

function stepsOf(schema: JsonSchema, token: string): readonly Step[] {
  const { properties, patternProperties, additionalProperties, items, prefixItems } = schema;
  const declared = memberOf(properties, token);
  if (declared !== undefined) return [{ name: token, schema: declared }];
  const isIndex = /^\d+$/.test(token);
  const elements = isIndex ? [items, ...(Array.isArray(prefixItems) ? prefixItems : [])] : [];
  const maps = isSchema(patternProperties) ? Object.values(patternProperties) : [];
  return [...elements, ...maps, additionalProperties]
    .filter((one) => one !== undefined && one !== false)
    .map((one) => ({ name: ANY, schema: one }));
}

/** The declared path of a pointer into a value; where nothing more is declared it ends. */
function declaredPath(schema: JsonSchema, pointer: string): string {
  let path = '';
  let here = inPlace(schema, [schema]);
  for (const token of pointer
    .split('/')
    .slice(1, 1 + MAX_TOKENS)
    .map(unescaped)) {
    const steps = here.flatMap((one) => stepsOf(one, token));
    const named = steps.filter(({ name }) => name !== ANY);
    const taken = named.length > 0 ? named : steps;
    const [first] = taken;
    if (first === undefined) return path;
    path = childPointer(path, first.name);
    here = inPlace(
      schema,
      taken.map((step) => step.schema),
    );
  }
  return path;
}

/** Violations by what was declared, each pair once. */
export function declaredViolations(
  schema: JsonSchema,
  violations: readonly Violation[],
): readonly DeclaredViolation[] {
  const found = new Map<string, DeclaredViolation>();
  for (const violation of violations) {
    const { rule } = violation;
    const path = declaredPath(schema, violation.path);
    found.set(`${path} ${rule}`, Object.freeze({ path, rule }));
  }
  return Object.freeze([...found.values()]);
}
