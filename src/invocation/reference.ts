/**
 * How callers name a tool: by its name or key, by its class, or by a service class and a method.
 * Invariant: a class stands for exactly the version that it declares.
 */
import { type Class, isClass } from '../contract/class';
import { toToolKey } from '../contract/names';
import type { FactTarget } from '../metadata/own-facts';
import { toolFact } from '../metadata/tool-facts';

/** A class with `execute`. */
export type ToolClass = Class<{ execute(...args: never[]): unknown }>;

/** Anything that names a tool. */
export type ToolReference = string | Class | readonly [service: Class, method: PropertyKey];

function keyOf(target: FactTarget, fallback: string): string {
  const declared = toolFact.read(target);
  return declared === undefined ? fallback : toToolKey(String(declared.name), String(declared.version));
}

const NO_TOOL = 'what names no tool';

function textOf(reference: ToolReference): string {
  if (typeof reference === 'string') return reference;
  if (typeof reference === 'function') return keyOf({ holder: reference }, reference.name);
  // A model may name its tool by null or by a number, whatever the types say.
  if (typeof reference !== 'object' || reference === null) return String(reference);
  const [service, named]: readonly unknown[] = Array.isArray(reference) ? reference : [];
  const method = typeof named === 'number' ? String(named) : named;
  const isMember = typeof method === 'string' || typeof method === 'symbol';
  if (!isClass(service) || !isMember) return NO_TOOL;
  return keyOf({ holder: service.prototype, member: method }, `${service.name}.${String(method)}`);
}

/** The name or key of what a reference names; what names no tool goes by its own text. */
export function toReferenceText(reference: ToolReference): string {
  try {
    return textOf(reference);
  } catch {
    // Only a proxy, or a getter of one, gets here.
    return NO_TOOL;
  }
}
