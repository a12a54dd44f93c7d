/**
 * What `toolcrib check` finds, and the closed set of codes that it finds it under.
 * Invariant: every finding has a code of the list, so that a waiver that names another code is known to be wrong.
 */

/** Every code of a finding. The last two are about waivers, and cannot be waived. */
export const FINDING_CODES = [
  'missing_domain',
  'missing_owner',
  'missing_scopes',
  'missing_side_effect',
  'short_description',
  'unbounded_output',
  'similar_name',
  'same_description',
  'missing_description',
  'missing_example',
  'missing_unit',
  'unbounded_string',
  'possibly_empty_string',
  'unbounded_array',
  'unbounded_number',
  'free_form_value',
  'validator_only_rule',
  'invalid_example',
  'invalid_default',
  'bad_waiver',
  'unused_waiver',
] as const;

/** One of {@link FINDING_CODES}. */
export type FindingCode = (typeof FINDING_CODES)[number];

/** Where a finding sits. */
export interface FindingPlace {
  /** The key of the tool. */
  readonly tool: string;
  /** JSON Pointer (RFC 6901, as a fragment) into the tool's definition: `#/inputSchema/properties/order_id`. */
  readonly schemaPath?: string;
  /** The class that carries the declaration: a DTO, or the tool's own. */
  readonly class?: string;
  /** The property or method of that class. */
  readonly member?: string;
}

/** One thing that a reviewer should look at, where, why, and how to mend it. */
export interface Finding {
  readonly code: FindingCode;
  readonly place: FindingPlace;
  /** What is wrong. */
  readonly reason: string;
  /** What to write instead. */
  readonly mend: string;
}

/** A finding whose place is still to be told. */
export type Fault = Omit<Finding, 'place'>;
