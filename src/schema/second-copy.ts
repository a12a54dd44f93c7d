/**
 * Finds DTOs that were decorated by another copy of a library than the one that is read here.
 * Invariant: what another copy recorded is never passed over: it is refused with the folders of both, or it is
 * known to count here as well.
 */
import { getMetadataStorage } from 'class-validator';
import { getMetadataSchema } from 'class-validator-jsonschema/build/decorators';
import type { Class } from '../contract/class';
import type { DeclarationProblem } from '../errors/declaration-error';
import { memberOf } from '../metadata/members';
import type { PropertyFacts } from './class-facts';
import { knownCopies, type Library, type LibraryCopy } from './library-copies';
import { isExcluded, isStorage, readTransformerFacts, transformerStorage } from './transformer-storage';

/** Tells whether a copy is the one that is read here. */
function isOurs({ library, records }: LibraryCopy): boolean {
  switch (library) {
    case 'class-transformer':
      return memberOf(records, 'defaultMetadataStorage') === transformerStorage;
    case 'class-validator':
      return memberOf(records, 'getMetadataStorage') === getMetadataStorage;
    case 'class-validator-jsonschema':
      return memberOf(records, 'getMetadataSchema') === getMetadataSchema;
  }
}

/** The class of the rules that a copy of class-validator records. */
function ruleClassOf(copy: LibraryCopy): unknown {
  return copy.exported('ValidationMetadata', 'cjs/metadata/ValidationMetadata.js');
}

/** Tells whether decorators of a copy sit on a class or on its properties. */
function decorates(copy: LibraryCopy, cls: Class, facts: readonly PropertyFacts[]): boolean {
  switch (copy.library) {
    case 'class-transformer': {
      const storage = memberOf(copy.records, 'defaultMetadataStorage');
      if (!isStorage(storage)) return false;
      const found = facts.map(({ name }) => readTransformerFacts(storage, cls, name));
      const others = [...storage.getExposedMetadatas(cls), ...storage.getExcludedMetadatas(cls)];
      const isHere = found.some(({ type, decorated }) => type !== undefined || decorated);
      return isHere || others.length > 0 || isExcluded(storage, cls);
    }
    case 'class-validator': {
      const ruleClass = ruleClassOf(copy);
      return facts.some(({ rules }) => rules.some((rule) => rule.constructor === ruleClass));
    }
    case 'class-validator-jsonschema': {
      const read = memberOf(copy.records, 'getMetadataSchema');
      if (typeof read !== 'function') return false;
      const keys = [cls.name, ...facts.map(({ name }) => name)];
      return keys.some((key) => Object.keys(read(cls.prototype, key)).length > 0);
    }
  }
}

/** Tells whether a nested DTO lacks its type in a class that none of the loaded class-validators decorated. */
function isTypeUnseen(facts: readonly PropertyFacts[], copies: readonly LibraryCopy[]): boolean {
  const untyped = facts
    .filter(({ type }) => type === undefined)
    .flatMap(({ rules }) => rules.filter((rule) => rule.type === 'nestedValidation'));
  const validators = copies.filter(({ library }) => library === 'class-validator');
  // Within a bundle the class of our own rules is not known either.
  if (untyped.length === 0 || !validators.some(isOurs)) return false;
  const known = validators.map(ruleClassOf);
  return untyped.some((rule) => !known.includes(rule.constructor));
}

function wordsOf({ library, version, folder }: LibraryCopy): string {
  return `${library} ${version} in ${folder}`;
}

function wordsOfOurs(ours: LibraryCopy | undefined, library: Library): string {
  return ours === undefined
    ? `another ${library}, of a bundle or of modules that were reset since`
    : wordsOf(ours);
}

function mendOf(library: Library): string {
  return `Keep one copy: "npm ls ${library}" names who asks for each, and "npm dedupe" merges them. In a bundle, take toolcrib and ${library} both in or leave both out.`;
}

const TOLD = new Set<string>();

function tellOnce(copy: LibraryCopy, ours: LibraryCopy): void {
  if (TOLD.has(copy.folder)) return;
  TOLD.add(copy.folder);
  const warning = `DTOs are decorated by ${wordsOf(copy)}, and toolcrib reads ${wordsOf(ours)}. The two share their rules. ${mendOf(copy.library)}`;
  process.emitWarning(warning, { type: 'ToolcribWarning', code: 'duplicate_dependency' });
}

/** class-validator keeps the rules of all copies in one place, on globalThis; in one version they mean the same. */
function isShared(copy: LibraryCopy, ours: LibraryCopy | undefined): boolean {
  if (copy.library !== 'class-validator') return false;
  if (ours === undefined) return true;
  if (ours.version !== copy.version) return false;
  tellOnce(copy, ours);
  return true;
}

/** What is wrong with the copies that a class was decorated by. */
export function secondCopyProblems(
  cls: Class,
  facts: readonly PropertyFacts[],
): readonly DeclarationProblem[] {
  const problemOf = (message: string, mend: string): DeclarationProblem => ({
    code: 'duplicate_dependency',
    place: { class: cls.name },
    message,
    mend,
  });
  if (transformerStorage === undefined) {
    const mend =
      'Let the bundler take its "main" or its "module" file, or leave class-transformer and toolcrib out of the bundle.';
    return [problemOf('the bundle holds a build of class-transformer whose @Type cannot be read', mend)];
  }
  const copies = knownCopies();
  const problems = copies
    .filter((copy) => !isOurs(copy) && decorates(copy, cls, facts))
    .map((copy) => ({ copy, ours: copies.find((one) => one.library === copy.library && isOurs(one)) }))
    .filter(({ copy, ours }) => !isShared(copy, ours))
    .map(({ copy, ours }) => {
      const words = `it is decorated by ${wordsOf(copy)}, and toolcrib reads ${wordsOfOurs(ours, copy.library)}`;
      return problemOf(`two copies of ${copy.library}: ${words}`, mendOf(copy.library));
    });
  if (problems.length > 0 || !isTypeUnseen(facts, copies)) return problems;
  const message =
    'its decorators are those of a bundle, or of modules that were reset since, and its @Type is not seen';
  return [problemOf(message, mendOf('class-transformer'))];
}
