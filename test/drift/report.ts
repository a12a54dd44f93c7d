/**
 * What a run has seen, as plain data that processes can hand to each other.
 * Invariant: merging loses no count and no disagreement.
 */
import type { Allowed } from './judge';

/** What the package makes of a DTO. */
export type Grade = 'exact' | 'validator_only' | 'refused';

/** What documents of one DTO, or of a group of them, have shown. */
export interface Counts {
  pairs: number;
  accepted: number;
  disagreements: number;
  readonly allowed: Partial<Record<Allowed, number>>;
}

/** One line of the table: a form alone or on each element. */
export interface FormReport extends Counts {
  readonly name: string;
  readonly grade: Grade;
}

/** A group of DTOs: how many were refused, and what the others have shown. */
export interface GroupReport extends Counts {
  dtos: number;
  refused: number;
}

/** A disagreement, in words. */
export interface Disagreement {
  readonly what: string;
  readonly dto: string;
  readonly document: string;
  readonly schema: string;
}

/** All that one process has seen. */
export interface ShareReport {
  readonly build: string;
  readonly emitsTypes: boolean;
  seconds: number;
  readonly alone: readonly FormReport[];
  readonly each: readonly FormReport[];
  readonly more: readonly FormReport[];
  readonly written: GroupReport;
  readonly stacked: GroupReport;
  readonly composed: GroupReport;
  readonly disagreements: readonly Disagreement[];
}

/** Counts of nothing. */
export function newCounts(): Counts {
  return { pairs: 0, accepted: 0, disagreements: 0, allowed: {} };
}

/** A group of nothing. */
export function newGroup(): GroupReport {
  return { ...newCounts(), dtos: 0, refused: 0 };
}

/** Adds counts to others. */
export function addCounts(to: Counts, { pairs, accepted, disagreements, allowed }: Counts): void {
  to.pairs += pairs;
  to.accepted += accepted;
  to.disagreements += disagreements;
  for (const [name, count] of allowedOf(allowed)) to.allowed[name] = (to.allowed[name] ?? 0) + count;
}

/** The allowed differences of counts, by name. */
export function allowedOf(allowed: Counts['allowed']): readonly (readonly [Allowed, number])[] {
  const names = Object.keys(allowed).filter((name): name is Allowed => name in allowed);
  return names.map((name) => [name, allowed[name] ?? 0]);
}

/** All counts of a share, summed. */
export function totalOf({ alone, each, more, written, stacked, composed }: ShareReport): Counts {
  const total = newCounts();
  for (const one of [...alone, ...each, ...more, written, stacked, composed]) addCounts(total, one);
  return total;
}

function mergeForms(one: readonly FormReport[], other: readonly FormReport[]): readonly FormReport[] {
  return one.map((form) => {
    const twin = other.find(({ name }) => name === form.name);
    const merged = { ...form, allowed: { ...form.allowed } };
    if (twin !== undefined) addCounts(merged, twin);
    return merged;
  });
}

function mergeGroups(one: GroupReport, other: GroupReport): GroupReport {
  const merged = { ...one, allowed: { ...one.allowed } };
  addCounts(merged, other);
  return merged;
}

/** Forms whose grade is not the same in two shares: a grade must not hang on the compiler. */
function gradeDisagreements(one: ShareReport, other: ShareReport): readonly Disagreement[] {
  const formsOf = ({ alone, each, more }: ShareReport) => [...alone, ...each, ...more];
  return formsOf(one).flatMap((form, at) => {
    const twin = formsOf(other)[at];
    if (twin?.name === form.name && twin.grade === form.grade) return [];
    const what = `the grade is ${form.grade} under ${one.build} and ${twin?.grade} under ${other.build}`;
    return [{ what, dto: form.name, document: '', schema: '' }];
  });
}

/** Merges the shares of two processes. */
export function mergeShares(one: ShareReport, other: ShareReport): ShareReport {
  const stacked = mergeGroups(one.stacked, other.stacked);
  const composed = mergeGroups(one.composed, other.composed);
  composed.dtos += other.composed.dtos;
  composed.refused += other.composed.refused;
  return {
    build: `${one.build} and ${other.build}`,
    emitsTypes: one.emitsTypes || other.emitsTypes,
    seconds: Math.max(one.seconds, other.seconds),
    alone: mergeForms(one.alone, other.alone),
    each: mergeForms(one.each, other.each),
    more: mergeForms(one.more, other.more),
    written: mergeGroups(one.written, other.written),
    stacked,
    composed,
    disagreements: [...one.disagreements, ...other.disagreements, ...gradeDisagreements(one, other)],
  };
}
