/**
 * Where class-transformer keeps what its decorators record, in the build of it that this program runs on.
 * Invariant: what the public `class-transformer` records is seen here, or the storage is undefined.
 */
import { Expose } from 'class-transformer';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage';
import type { Class } from '../contract/class';

/** What class-transformer's decorators recorded. */
export type TransformerStorage = typeof import('class-transformer/types/storage').defaultMetadataStorage;

/** What was recorded for one property. */
export interface TransformerFacts {
  /** What `@Type` names; undefined without `@Type`. */
  readonly type:
    | { readonly named: unknown; readonly reflected: unknown; readonly options: object }
    | undefined;
  /** True when `@Transform`, `@Expose` or `@Exclude` sit on the property. */
  readonly transformed: boolean;
}

class Witness {}
Expose()(Witness.prototype, 'seen');

/**
 * Finds the storage. Node, and bundlers that prefer `main`, take the CommonJS build; those that prefer `module`
 * take another, in which the storage that the path names by itself stays empty. Bundlers read only a literal
 * `require`, and one in a `try` they leave to run time.
 */
function findStorage(): TransformerStorage | undefined {
  const isSeen = (storage: TransformerStorage) => storage.findExposeMetadata(Witness, 'seen') !== undefined;
  if (isSeen(defaultMetadataStorage)) return defaultMetadataStorage;
  const other: typeof import('class-transformer/esm5/storage') = require('class-transformer/esm5/storage');
  return isSeen(other.defaultMetadataStorage) ? other.defaultMetadataStorage : undefined;
}

/** The storage; undefined where a bundler took a build that is not known here. */
export const transformerStorage: TransformerStorage | undefined = findStorage();

/** What a function given to `@Type` names; undefined where it throws, as it does before its module has loaded. */
function namedBy(type: () => unknown): unknown {
  try {
    return type();
  } catch {
    return undefined;
  }
}

/** Reads what a storage holds for one property, inherited or own. */
export function readTransformerFacts(
  storage: TransformerStorage,
  cls: Class,
  property: string,
): TransformerFacts {
  const found = storage.findTypeMetadata(cls, property);
  return {
    type:
      found === undefined
        ? undefined
        : {
            named: namedBy(() => found.typeFunction?.({ newObject: {}, object: {}, property })),
            reflected: found.reflectedType,
            options: found.options ?? {},
          },
    transformed:
      storage.findExposeMetadata(cls, property) !== undefined ||
      storage.findExcludeMetadata(cls, property) !== undefined ||
      [0, 1, 2].some((kind) => storage.findTransformMetadatas(cls, property, kind).length > 0),
  };
}
