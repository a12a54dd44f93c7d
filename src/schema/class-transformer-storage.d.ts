/**
 * class-transformer ships no declaration beside its storage, in either of its builds.
 * Invariant: the type is the one that the package declares for the same object elsewhere.
 */
declare module 'class-transformer/cjs/storage' {
  export { defaultMetadataStorage } from 'class-transformer/types/storage';
}

declare module 'class-transformer/esm5/storage' {
  export { defaultMetadataStorage } from 'class-transformer/types/storage';
}
