/**
 * The type-level counterpart of what leaves a tool: JSON.
 * Invariant: `Serialized<T>` is the type of `JSON.parse(JSON.stringify(value))`, decorators aside.
 */

/**
 * What a value of type `T` is once it has become JSON: Dates are text, methods are gone. It is made of the fields of
 * the type alone, since types do not tell what class-transformer's decorators rename, hide or convert.
 */
export type Serialized<T> = unknown extends T
  ? unknown
  : T extends string | number | boolean | null
    ? T
    : T extends void
      ? null
      : T extends { toJSON(): infer J }
        ? Serialized<J>
        : T extends bigint | symbol | ((...args: never[]) => unknown)
          ? never
          : T extends readonly (infer E)[]
            ? Serialized<E>[]
            : T extends object
              ? {
                  [K in keyof T as T[K] extends (...args: never[]) => unknown ? never : K]: SerializedMember<
                    T[K]
                  >;
                }
              : never;

type SerializedMember<T> = T extends undefined ? undefined : Serialized<T>;
