/**
 * Checks one DTO on many documents.
 * Invariant: no document is counted twice for one DTO, and the DTO's classes are forgotten afterwards.
 */
import { type Class, DeclarationError, type InputContract, type JsonValue } from 'toolcrib';
import { compileStrictly } from '../fixtures/strict-schema';
import { jsonText } from './json-text';
import { askValidator, judge, leftToValidator } from './judge';
import type { Random } from './random';
import { type Counts, type Disagreement, type Grade, newCounts } from './report';
import { DocumentSource, textsMatching } from './sources';
import { type DtoSpec, forget, type Made, makeDto, specText } from './spec';

/** What is held against class-validator: how a contract is made of a class. */
export type Subject = (cls: Class<object>) => Pick<InputContract, 'schema' | 'parse' | 'validatorOnlyRules'>;

/** What the check of one DTO has shown. */
export interface Checked {
  readonly grade: Grade;
  readonly counts: Counts;
  /** The first disagreement of each kind. */
  readonly disagreements: readonly Disagreement[];
  /** Documents that class-validator accepted. */
  readonly accepted: readonly JsonValue[];
}

const MOST_TRIES = 3;
const MOST_KEPT = 40;

function contractOf(subject: Subject, cls: Class<object>): ReturnType<Subject> | undefined {
  try {
    return subject(cls);
  } catch (error) {
    if (error instanceof DeclarationError) return undefined;
    throw error;
  }
}

/** Checks a DTO on as many documents as are asked for, or as there are of them; it is made of its spec unless written. */
export async function checkDto(
  spec: DtoSpec,
  documents: number,
  random: Random,
  subject: Subject,
  { cls, all }: Made = makeDto(spec),
): Promise<Checked> {
  try {
    const contract = contractOf(subject, cls);
    if (contract === undefined) {
      return { grade: 'refused', counts: newCounts(), disagreements: [], accepted: [] };
    }
    const source = new DocumentSource(spec, textsMatching(contract.schema, random.below(2 ** 31)), random);
    const isLeft = leftToValidator(contract);
    const admits = compileStrictly(contract.schema);
    const counts = newCounts();
    const found = new Map<string, Disagreement>();
    const accepted: JsonValue[] = [];
    const seen = new Set<string>();
    for (let tries = 0; tries < documents * MOST_TRIES && seen.size < documents; tries += 1) {
      const document = source.draw();
      const text = jsonText(document);
      if (seen.has(text)) continue;
      seen.add(text);
      const answers = {
        admitted: admits(JSON.parse(text)),
        outcome: await contract.parse(JSON.parse(text)),
        validator: await askValidator(cls, JSON.parse(text)),
      };
      counts.pairs += 1;
      if (answers.validator.verdict === 'accepts') {
        counts.accepted += 1;
        source.learn(document);
        if (accepted.length < MOST_KEPT) accepted.push(document);
      }
      const finding = judge(spec, document, answers, isLeft);
      if ('disagreement' in finding) {
        counts.disagreements += 1;
        const what = finding.disagreement;
        if (!found.has(what)) {
          const schema = JSON.stringify(contract.schema);
          found.set(what, { what, dto: specText(spec), document: text, schema });
        }
      } else {
        for (const name of finding.allowed) counts.allowed[name] = (counts.allowed[name] ?? 0) + 1;
      }
    }
    const grade = contract.validatorOnlyRules.length === 0 ? 'exact' : 'validator_only';
    return { grade, counts, disagreements: [...found.values()], accepted };
  } finally {
    forget(all);
  }
}
