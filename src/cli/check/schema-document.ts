/**
 * One schema of a tool as a document: its parts by pointer, and whether a part accepts a value.
 * Invariant: only what the document itself holds is looked up; a reference to anything else leads nowhere.
 */
import Ajv2020 from 'ajv/dist/2020';
import { isSchema, type JsonSchema } from '../../contract/schema';
import type { JsonValue } from '../../errors/body';

function tokensOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function memberOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (Array.isArray(value)) return value[Number(key)];
  return isSchema(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** A schema and where it stands in a tool's definition. */
export class SchemaDocument {
  private ajv: Ajv2020 | undefined;

  constructor(
    /** The member of the definition that holds the schema. */
    private readonly name: 'inputSchema' | 'outputSchema',
    readonly schema: JsonSchema,
  ) {}

  /** The pointer into the definition for a pointer (as a fragment) into the schema. */
  placeOf(pointer: string): string {
    return `#/${this.name}${pointer.slice(1)}`;
  }

  /** The part that a pointer leads to, if it is a schema. */
  at(pointer: string): JsonSchema | undefined {
    if (!pointer.startsWith('#')) return undefined;
    const part = tokensOf(pointer).reduce<JsonValue | undefined>(memberOf, this.schema);
    return isSchema(part) ? part : undefined;
  }

  /** Tells whether the part that a pointer leads to accepts a value. */
  accepts(pointer: string, value: JsonValue): boolean {
    // What the meta-schema refuses is for findings to name, not for the validator to throw.
    this.ajv ??= new Ajv2020({
      strict: false,
      validateFormats: false,
      validateSchema: false,
      meta: false,
    }).addSchema(this.schema, this.name);
    return this.ajv.getSchema(`${this.name}${pointer}`)?.(value) === true;
  }
}
