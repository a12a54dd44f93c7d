/**
 * The installed copies of the decorator libraries that this process has loaded.
 * Invariant: only loaded files are looked at; a copy that a bundler took in is never among them.
 */
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import { memberOf } from '../metadata/members';

/** For each library whose decorators sit on DTOs, the file that holds, or reads, what they recorded. */
const RECORDS = {
  'class-transformer': join('cjs', 'storage.js'),
  'class-validator': join('cjs', 'metadata', 'MetadataStorage.js'),
  'class-validator-jsonschema': join('build', 'decorators.js'),
} as const;

/** One of those libraries. */
export type Library = keyof typeof RECORDS;

/** One installed copy. */
export interface LibraryCopy {
  readonly library: Library;
  readonly folder: string;
  readonly version: string;
  /** What its file with the records exports. */
  readonly records: object;
  /** What another file of it exports under a name. */
  exported(name: string, file: string): unknown;
}

// The cache is that of the whole process, whatever file the path names.
const requireLoaded = createRequire(process.execPath);

function load(file: string): object {
  const module: unknown = requireLoaded(file);
  return typeof module === 'object' && module !== null ? module : {};
}

function toCopy(library: Library, file: string): LibraryCopy {
  const folder = file.slice(0, -RECORDS[library].length - 1);
  const exported = (name: string, from: string) => memberOf(load(join(folder, from)), name);
  const version = String(exported('version', 'package.json'));
  return { library, folder, version, records: load(file), exported };
}

function isLibrary(name: string): name is Library {
  return name in RECORDS;
}

let known: readonly LibraryCopy[] | undefined;
/** How many modules were loaded when the copies were found. */
let modules = 0;

/** Looks for copies that were loaded since, which costs as much as the process has modules. */
export function lookForCopies(): readonly LibraryCopy[] {
  const loaded = Object.keys(requireLoaded.cache);
  modules = loaded.length;
  known = Object.keys(RECORDS)
    .filter(isLibrary)
    .flatMap((library) => {
      const end = sep + join(library, RECORDS[library]);
      return loaded.filter((file) => file.endsWith(end)).map((file) => toCopy(library, file));
    });
  return known;
}

/** The copies that were found last. */
export function knownCopies(): readonly LibraryCopy[] {
  return known ?? lookForCopies();
}

/** The copies that are loaded now, looked for anew where modules have been loaded since. */
export function loadedCopies(): readonly LibraryCopy[] {
  const isCurrent = known !== undefined && Object.keys(requireLoaded.cache).length === modules;
  return isCurrent ? knownCopies() : lookForCopies();
}
