/**
 * class-transformer ships no declaration beside its CommonJS storage.
 * Invariant: the type is the one that the package declares for the same object elsewhere.
 */
declare module 'class-transformer/cjs/storage' {
  export { defaultMetadataStorage } from 'class-transformer/types/storage';
}
