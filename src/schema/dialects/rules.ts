/**
 * What each provider's dialect takes.
 * Invariant: a keyword that is not listed here is not known to be taken, and never passed on.
 */
import type { DialectName } from '../../contract/dialect';

/** What one dialect takes. */
export interface DialectRules {
  readonly name: DialectName;
  /** Keywords that pass as they are, beside those that give a schema its shape. */
  readonly keeps: ReadonlySet<string>;
  /** Annotations that pass, beside the description. */
  readonly annotations: ReadonlySet<string>;
  /** Formats that pass. */
  readonly formats: ReadonlySet<string>;
  /** Undefined: any name will do. */
  readonly propertyName: RegExp | undefined;
  /** Names that the provider's packages take for keywords. */
  readonly reservedNames: ReadonlySet<string>;
  readonly hasReferences: boolean;
  /** Null is a type, and `type` may list several. */
  readonly hasTypeUnions: boolean;
  /** `enum` and `const` hold any scalar. */
  readonly hasAnyValues: boolean;
  /** `additionalProperties` is a keyword. */
  readonly hasAdditional: boolean;
  /** Objects may take undeclared properties. */
  readonly hasOpenObjects: boolean;
  /** Objects may declare no properties. The root always may. */
  readonly hasEmptyObjects: boolean;
  /** Places without a type may be left open. */
  readonly hasAnything: boolean;
  /** Every property is required. */
  readonly requiresAll: boolean;
  /** Patterns run on engines other than JavaScript's. */
  readonly hasForeignPatterns: boolean;
}

const BOUNDS = ['pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'format'];
const NUMBERS = ['exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
const FORMATS = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'];

const OPENAI_STRICT: DialectRules = {
  name: 'openai-strict',
  keeps: new Set([...BOUNDS, ...NUMBERS]),
  annotations: new Set(['title']),
  formats: new Set(FORMATS),
  propertyName: undefined,
  reservedNames: new Set(),
  hasReferences: true,
  hasTypeUnions: true,
  hasAnyValues: true,
  hasAdditional: true,
  hasOpenObjects: false,
  hasEmptyObjects: true,
  hasAnything: false,
  requiresAll: true,
  hasForeignPatterns: true,
};

const ANTHROPIC: DialectRules = {
  name: 'anthropic',
  keeps: new Set([
    ...BOUNDS,
    ...NUMBERS,
    'uniqueItems',
    'minProperties',
    'maxProperties',
    'propertyNames',
    'not',
  ]),
  annotations: new Set(['title', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly']),
  formats: new Set([...FORMATS, 'uri']),
  propertyName: /^[a-zA-Z0-9_.-]{1,64}$/,
  reservedNames: new Set(),
  hasReferences: true,
  hasTypeUnions: true,
  hasAnyValues: true,
  hasAdditional: true,
  hasOpenObjects: true,
  hasEmptyObjects: true,
  hasAnything: true,
  requiresAll: false,
  hasForeignPatterns: false,
};

const GEMINI: DialectRules = {
  name: 'gemini',
  keeps: new Set([...BOUNDS, 'minProperties', 'maxProperties']),
  annotations: new Set(['title']),
  formats: new Set(['date-time']),
  propertyName: /^[A-Za-z_][A-Za-z0-9_]{0,63}$/,
  reservedNames: new Set(['strict', 'additionalProperties']),
  hasReferences: false,
  hasTypeUnions: false,
  hasAnyValues: false,
  hasAdditional: false,
  hasOpenObjects: true,
  hasEmptyObjects: false,
  hasAnything: false,
  requiresAll: false,
  hasForeignPatterns: true,
};

/** The rules of every dialect but JSON Schema's own, which has none. */
export const DIALECT_RULES: { readonly [name in Exclude<DialectName, 'json-schema'>]: DialectRules } = {
  'openai-strict': OPENAI_STRICT,
  anthropic: ANTHROPIC,
  gemini: GEMINI,
};
