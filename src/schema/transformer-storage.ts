/**
 * Where class-transformer keeps what its decorators record, in the build of it that this program runs on.
 * Invariant: what the public `class-transformer` records is seen here, or the storage is undefined.
 */
import { Expose, TransformationType } from 'class-transformer';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage';
import type { Class } from '../contract/class';

/** What class-transformer's decorators recorded. */
export type TransformerStorage = typeof import('class-transformer/types/storage').defaultMetadataStorage;

/** What a tool cannot take of it: what is wrong, and the mend. */
interface TransformerProblem {
  readonly message: string;
  readonly mend: string;
}

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
  /** The key in JSON, where `@Expose` gives one. */
  readonly key?: string;
  readonly problems: readonly TransformerProblem[];
  /** The same where the class is an output. */
  readonly problemsOut: readonly TransformerProblem[];
}

/** The facts of a property that class-transformer knows nothing of. */
export const NO_TRANSFORMER_FACTS: TransformerFacts = Object.freeze({
  type: undefined,
  decorated: false,
  transformed: false,
  problems: [],
  problemsOut: [],
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

/** Tells the storage of any copy. */
export function isStorage(value: unknown): value is TransformerStorage {
  return typeof value === 'object' && value !== null && 'findTypeMetadata' in value;
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

function problemsOf(exposed: Options, transforms: readonly Options[]): readonly TransformerProblem[] {
  const isPartial = [exposed, ...transforms].some((options) => PARTIAL.some((one) => one in options));
  return isPartial
    ? [{ message: 'since, until and groups have no meaning for a tool', mend: 'Leave them out.' }]
    : [];
}

const HIDDEN: TransformerProblem = {
  message: '@Exclude hides a property of the DTO',
  mend: 'Remove the property, or use another DTO.',
};

/** A name that `@Expose` gives for one way alone, where class-transformer takes it for both. */
function oneWay(exposed: Options, option: 'toPlainOnly' | 'toClassOnly'): readonly TransformerProblem[] {
  const way = option === 'toPlainOnly' ? 'out' : 'in';
  return exposed.name !== undefined && exposed[option] === true
    ? [{ message: `a name is exposed on the way ${way} alone`, mend: `Leave ${option} out.` }]
    : [];
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
  const partial = problemsOf(
    exposure,
    onTheWay.map(({ options }): Options => ({ ...options })),
  );
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
    ...(typeof name === 'string' ? { key: name } : {}),
    problems: [...(excluded ? [HIDDEN] : []), ...partial, ...oneWay(exposure, 'toPlainOnly')],
    problemsOut: [...partial, ...oneWay(exposure, 'toClassOnly')],
  };
}
