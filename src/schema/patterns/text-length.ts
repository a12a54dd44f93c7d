import type { JsonSchema } from '../../contract/schema';
export function lengthKeywords(min: number, max: number | undefined): JsonSchema {
  return { minLength: min, ...(max === undefined ? {} : { maxLength: max }) };
}
