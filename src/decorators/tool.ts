/**
 * `@Tool`: names a class with `execute`, or a method of a service class, as a tool.
 * Invariant: it writes one fact and changes nothing else; its types tie the declared input and output to the
 * handler, so a mismatch does not compile.
 */

import type { Class, NoInput } from '../contract/class';
import type { Content } from '../contract/content';
import type { ToolContext } from '../contract/context';
import type { ErrorMapping } from '../contract/mapping';
import { toolFact } from '../metadata/tool-facts';
import { toFactTarget } from './place';

/** How an output is declared: a DTO, a list of one, or a scalar. */
export type OutputOption =
  | Class
  | readonly [Class]
  | NumberConstructor
  | StringConstructor
  | BooleanConstructor;

/** What `@Tool` takes. */
export interface ToolOptions<
  In extends Class | undefined,
  Out extends OutputOption | undefined,
  Preview extends string | undefined = string | undefined,
> {
  /** `domain.action`: letters, digits, dots, underscores and hyphens. */
  readonly name: string;
  /** A full semantic version. */
  readonly version: string;
  /** What the tool does and when to use it; the model reads it. */
  readonly description: string;
  /** A name for people. */
  readonly title?: string;
  /** The team to ask; a service class may give one for all its methods with `@Owner`. */
  readonly owner?: string;
  /** The DTO of the arguments. A method may leave it out where the compiler emits `design:paramtypes`. */
  readonly input?: In;
  /** What the handler answers: a DTO, `[Dto]`, `Number`, `String` or `Boolean`; left out: any JSON, without a schema. */
  readonly output?: Out;
  /** Deadline of one call in milliseconds. */
  readonly timeoutMs?: number;
  /** Bound of the output's JSON in bytes, content included. */
  readonly maxResultBytes?: number;
  /** A business key that is equal for two calls meant to have one effect. */
  readonly idempotencyKey?: (input: DeclaredInput<In, never>) => string;
  /** The name of the tool that takes the action back, recorded for the person who may call it. */
  readonly compensation?: string;
  /** Says what errors that the handler throws mean, before the toolkit's `mapError` and what is built in. */
  readonly mapError?: ErrorMapping<DeclaredInput<In, never>>;
  /**
   * The method of a service that says what a call would do, for the person who approves it. A class tool has a
   * method `preview` instead.
   */
  readonly preview?: Preview;
  /** True, or what to use instead. */
  readonly deprecated?: boolean | string;
}

/** The value that a handler receives for a declared input class. */
type DeclaredInput<In, Undeclared> = In extends Class ? InstanceType<In> : Undeclared;

/** The value that a handler may answer for a declared output. */
type DeclaredOutput<Out> = Out extends NumberConstructor
  ? number
  : Out extends StringConstructor
    ? string
    : Out extends BooleanConstructor
      ? boolean
      : Out extends readonly [infer Item extends Class]
        ? readonly InstanceType<Item>[]
        : Out extends Class
          ? InstanceType<Out>
          : unknown;

// A property of function type is compared strictly, where a method would be compared bivariantly.
type Handler<Input, Output> = (
  input: Input,
  context: ToolContext,
) => Output | Content<Output> | Promise<Output | Content<Output>>;

/** Refuses a handler whose parameter has members that the declared class lacks, optional ones too. */
type SameInput<Method, Input> = [Input] extends [never]
  ? unknown
  : Method extends (input: infer Parameter, ...rest: never[]) => unknown
    ? Exclude<keyof Parameter, keyof Input> extends never
      ? unknown
      : { readonly 'the handler takes another class than @Tool({ input }) names': never }
    : unknown;

/** A service that has the method which an option `preview` names. */
type PreviewedBy<Preview, Input> = Preview extends string
  ? { readonly [Name in Preview]: Handler<Input, unknown> }
  : object;

/** The decorator that {@link Tool} makes. */
export interface ToolDecorator<
  In extends Class | undefined,
  Out extends OutputOption | undefined,
  Preview extends string | undefined = undefined,
> {
  <
    C extends Class<{
      execute: Handler<DeclaredInput<In, NoInput>, DeclaredOutput<Out>>;
      preview?: Handler<DeclaredInput<In, NoInput>, unknown>;
    }>,
  >(
    target: C & SameInput<InstanceType<C>['execute'], DeclaredInput<In, NoInput>>,
  ): void;
  <M extends Handler<DeclaredInput<In, never>, DeclaredOutput<Out>>>(
    target: PreviewedBy<Preview, DeclaredInput<In, never>>,
    member: string | symbol,
    descriptor: TypedPropertyDescriptor<M> & SameInput<M, DeclaredInput<In, never>>,
  ): void;
}

/**
 * Declares a tool. Applied to a class, the class needs a method `execute`; applied to a method, the class is
 * a service. What is wrong with the options is reported by discovery, together with everything else.
 *
 * @throws TypeError when the compiler emits standard decorators.
 */
export function Tool<
  In extends Class | undefined = undefined,
  const Out extends OutputOption | undefined = undefined,
  const Preview extends string | undefined = undefined,
>(options: ToolOptions<In, Out, Preview>): ToolDecorator<In, Out, Preview> {
  const declared = Object.freeze({ ...options });
  return (...args: readonly unknown[]): void => {
    toolFact.write(toFactTarget('Tool', args), declared);
  };
}
