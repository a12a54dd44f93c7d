/**
 * The drift check: schema, contract and class-validator are asked about the same documents.
 * Invariant: every disagreement is either a named stricter reading or a drift; nothing is passed over.
 */
import { getMetadataStorage } from 'class-validator';
import fc from 'fast-check';
import type { Class, InputContract, JsonSchema, JsonValue } from 'toolcrib';
import type { Dto } from '../../fixtures/dto-with';
import { compileStrictly } from '../../fixtures/strict-schema';
import { validatorVerdict } from '../../fixtures/verdicts';
import { arbitraryDocument } from './documents';
import { arbitraryDto, type DtoSpec, isExactDto, makeDto } from './dto-spec';
import { type Reading, readingOf } from './readings';

/** What is held against class-validator: how a contract is made of a class. */
export type Subject = (cls: Class<object>) => Pick<InputContract, 'schema' | 'parse'>;

/** Documents of one DTO. */
export interface DriftCase {
  readonly spec: DtoSpec;
  readonly documents: readonly JsonValue[];
}

/** What a run has seen, so that a check that checks nothing shows. */
export interface Tally {
  accepted: number;
  refused: number;
  /** Documents that the schema alone decided. */
  exact: number;
  readonly readings: Map<Reading, number>;
}

/** A tally of nothing. */
export function newTally(): Tally {
  return { accepted: 0, refused: 0, exact: 0, readings: new Map() };
}

function casesOf(specs: fc.Arbitrary<DtoSpec>): fc.Arbitrary<DriftCase> {
  return specs.chain((spec) =>
    fc.record({
      spec: fc.constant(spec),
      documents: fc.array(arbitraryDocument(spec), { minLength: 8, maxLength: 8 }),
    }),
  );
}

/** Cases of every kind; in half of them the schema alone must decide. */
export const ALL_CASES = fc.oneof(casesOf(arbitraryDto(2, true)), casesOf(arbitraryDto(2, false)));

/** Small cases whose schema alone must decide. */
export const SMALL_EXACT_CASES = casesOf(arbitraryDto(0, true));

/** Takes classes out of class-validator's storage, which it scans whole for every object. */
function forget(classes: readonly Dto[]): void {
  const storage: object = getMetadataStorage();
  if (!('validationMetadatas' in storage) || !(storage.validationMetadatas instanceof Map)) return;
  for (const cls of classes) storage.validationMetadatas.delete(cls);
}

/** What is wrong with one document; undefined when nothing is. */
async function judge(
  { spec, documents }: DriftCase,
  cls: Dto,
  subject: ReturnType<Subject>,
  tally: Tally,
): Promise<string | undefined> {
  const admits = compileStrictly(subject.schema);
  const exact = isExactDto(spec);
  for (const document of documents) {
    // Through text, since a value that stands twice in a document is one object otherwise.
    const text = JSON.stringify(document);
    const outcome = await subject.parse(JSON.parse(text));
    const admitted = admits(JSON.parse(text));
    tally[outcome.ok ? 'accepted' : 'refused'] += 1;
    if (exact) tally.exact += 1;
    if (outcome.ok && !admitted) return `the contract takes what its schema refuses: ${text}`;
    if (exact && admitted && !outcome.ok) return `the contract refuses what its schema takes: ${text}`;
    const verdict = await validatorVerdict(cls, JSON.parse(text));
    if (outcome.ok && verdict !== 'accepts')
      return `class-validator ${verdict} what the contract takes: ${text}`;
    if (outcome.ok || verdict !== 'accepts') continue;
    for (const violation of outcome.violations) {
      const reading = readingOf(spec, document, violation);
      if (reading === undefined) {
        return `no reading explains ${violation.path} ${violation.rule} of ${text}`;
      }
      tally.readings.set(reading, (tally.readings.get(reading) ?? 0) + 1);
    }
  }
  return undefined;
}

/** A disagreement that no stricter reading explains, and the schema that it is about. */
export class Drift extends Error {
  constructor(what: string, schema: JsonSchema) {
    super(`${what}\n${JSON.stringify(schema)}`);
    this.name = 'Drift';
  }
}

/**
 * Checks one case.
 *
 * @throws Drift, or whatever the making of a contract throws.
 */
export async function checkCase(one: DriftCase, subjectOf: Subject, tally: Tally): Promise<void> {
  const { cls, made } = makeDto(one.spec);
  try {
    const subject = subjectOf(cls);
    const drift = await judge(one, cls, subject, tally);
    if (drift !== undefined) throw new Drift(drift, subject.schema);
  } finally {
    forget(made);
  }
}
