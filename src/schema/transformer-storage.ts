/**
 * Where class-transformer keeps what its decorators record, in the build of it that this program runs on.
 * Invariant: what the public `class-transformer` records is seen here, or the storage is undefined.
 */
import { Expose, TransformationType } from 'class-transformer';
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
  readonly decorated: boolean;
  /** `@Transform` makes the value of an instance. */
  readonly transformed: boolean;
  /** class-transformer would write the property otherwise than it is: `@Transform` or a name given by `@Expose`. */
  readonly rewritten: boolean;
  /** The key in JSON, where `@Expose` gives one. */
  readonly key?: string;
  readonly problems: readonly { readonly message: string; readonly mend: string }[];
}

/** The facts of a property that class-transformer knows nothing of. */
export const NO_TRANSFORMER_FACTS: TransformerFacts = Object.freeze({
  type: undefined,
  decorated: false,
  transformed: false,
  rewritten: false,
  problems: [],
});

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

type Options = { readonly [option: string]: unknown };

/** Options under which a decorator holds for some calls only. */
const PARTIAL: readonly string[] = ['since', 'until', 'groups'];

function problemsOf(exposed: Options, excluded: boolean, transforms: readonly Options[]) {
  const isPartial = [exposed, ...transforms].some((options) => PARTIAL.some((one) => one in options));
  const isOneWay = exposed.name !== undefined && exposed.toPlainOnly === true;
  return [
    ...(excluded
      ? [
          {
            message: '@Exclude hides a property of the DTO',
            mend: 'Remove the property, or use another DTO.',
          },
        ]
      : []),
    ...(isPartial
      ? [{ message: 'since, until and groups have no meaning for a tool', mend: 'Leave them out.' }]
      : []),
    ...(isOneWay
      ? [{ message: 'a name is exposed on the way out alone', mend: 'Leave toPlainOnly out.' }]
      : []),
  ];
}

/** Tells whether `@Exclude()` on the class itself hides every property that `@Expose` does not show. */
export function isExcluded(storage: TransformerStorage, cls: Class): boolean {
  return storage.getStrategy(cls) === 'excludeAll';
}

/** Reads what a storage holds for one property, inherited or own. */
export function readTransformerFacts(
  storage: TransformerStorage,
  cls: Class,
  property: string,
): TransformerFacts {
  const found = storage.findTypeMetadata(cls, property);
  const exposed = storage.findExposeMetadata(cls, property);
  const excluded = storage.findExcludeMetadata(cls, property) !== undefined;
  const transforms = (kind: TransformationType) => storage.findTransformMetadatas(cls, property, kind);
  const onTheWay = [TransformationType.PLAIN_TO_CLASS, TransformationType.CLASS_TO_PLAIN].flatMap(transforms);
  const exposure: Options = { ...exposed?.options };
  const { name } = exposure;
  return {
    type:
      found === undefined
        ? undefined
        : {
            named: namedBy(() => found.typeFunction?.({ newObject: {}, object: {}, property })),
            reflected: found.reflectedType,
            options: found.options ?? {},
          },
    decorated: exposed !== undefined || excluded || onTheWay.length > 0,
    transformed: transforms(TransformationType.PLAIN_TO_CLASS).length > 0,
    rewritten: name !== undefined || onTheWay.length > 0,
    ...(typeof name === 'string' ? { key: name } : {}),
    problems: problemsOf(
      exposure,
      excluded,
      onTheWay.map(({ options }): Options => ({ ...options })),
    ),
  };
}
