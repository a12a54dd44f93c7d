/**
 * The bounds of an imported schema, and of what checking one value by it may cost.
 * Invariant: within them neither taking a schema nor checking a value by it can hang or fill the memory.
 */

/** What an imported schema may hold at most, and how much work a value may make. */
export const SCHEMA_LIMITS = Object.freeze({
  /** How many bytes of UTF-8 all texts and keywords of the schema may take together. */
  maxBytes: 262_144,
  /** How many values, containers included, the schema may hold. */
  maxElements: 10_000,
  /** How deep objects and arrays of the schema may nest. */
  maxDepth: 128,
  /** How many patterns there may be, names of `patternProperties` included. */
  maxPatterns: 100,
  /** How many schemas may apply to one value, through `allOf`, `anyOf`, `$ref` and the like. */
  maxInPlace: 1_000,
  /** How many steps the check of one value may take; a step is about one schema applied to one value. */
  maxSteps: 250_000,
});
