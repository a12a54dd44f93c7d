/**
 * Finds the input and the output of a tool: as declared, or as the compiler emitted them.
 * Invariant: explicit wins; what cannot be inferred is a problem, never an empty schema by accident.
 */
import { type Class, isClass, NoInput } from '../contract/class';
import type { InputContract, OutputContract } from '../contract/schema';
import { isDeclarationError } from '../errors/declaration-error';
import { memberOf } from '../metadata/members';
import { readParameterTypes } from '../metadata/own-facts';
import type { DeclaredTool } from '../metadata/tool-facts';
import type { Root } from '../schema/emit';
import { inputContract, outputContract } from '../validation/contracts';
import type { Judge } from './judge-options';

const NOT_DTOS: readonly unknown[] = [
  Object,
  Function,
  Array,
  String,
  Number,
  Boolean,
  Symbol,
  BigInt,
  Date,
  Map,
  Set,
  Promise,
];

const BREAK_THE_CYCLE = 'Break the cycle: move the DTO to a file of its own.';

function isDto(value: unknown): value is Class {
  return isClass(value) && !NOT_DTOS.includes(value);
}

/** Runs a maker of contracts; what is wrong with the DTOs goes to the judge. */
function collect<T>(judge: Judge, make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (!isDeclarationError(error)) throw error;
    judge.adopt(error.problems);
    return undefined;
  }
}

/** A method's length leaves defaulted and rest parameters out, so its text must show an empty list as well. */
function takesNothing(method: object): boolean {
  return (
    'length' in method &&
    method.length === 0 &&
    /^[^()]*\(\s*\)/.test(Function.prototype.toString.call(method))
  );
}

/** Infers the input class of a method from what the compiler emitted. */
function inferInput(judge: Judge, cls: Class, member: string | symbol): Class | undefined {
  const mend = 'Write @Tool({ input: YourInputClass }).';
  const types = readParameterTypes(cls.prototype, member);
  if (types === undefined) {
    const method = memberOf(cls.prototype, member);
    if (typeof method === 'function' && takesNothing(method)) return NoInput;
    judge.report(
      'input_not_inferred',
      'the compiler emitted no parameter types, as esbuild and tsx never do',
      `${mend} Or compile with tsc or swc and "emitDecoratorMetadata": true.`,
    );
    return undefined;
  }
  const [first] = types;
  if (types.length === 0) return NoInput;
  if (isDto(first)) return first;
  if (first === undefined) {
    const message = 'the type of the first parameter is undefined, as it is when two files import each other';
    judge.report('input_not_inferred', message, BREAK_THE_CYCLE);
  } else {
    const message = 'the type of the first parameter is not a DTO class';
    judge.report(
      'input_not_inferred',
      message,
      `${mend} Without arguments: (_: NoInput, context: ToolContext).`,
    );
  }
  return undefined;
}

/** The input contract of a class tool (`member` is undefined) or of a method. */
export function judgeInput(
  judge: Judge,
  declared: DeclaredTool,
  cls: Class,
  member: string | symbol | undefined,
): InputContract | undefined {
  const { input } = declared;
  if (input === undefined && 'input' in declared) {
    judge.report(
      'illegal_option',
      'input is undefined, as it is when two files import each other',
      BREAK_THE_CYCLE,
    );
    return undefined;
  }
  if (input !== undefined && !isDto(input)) {
    judge.report(
      'illegal_option',
      'input is not a class',
      'Name the DTO class itself: input: LookupOrderInput.',
    );
    return undefined;
  }
  const inferred = input ?? (member === undefined ? NoInput : inferInput(judge, cls, member));
  return inferred === undefined ? undefined : collect(judge, () => inputContract(inferred));
}

function toRoot(output: unknown): Root | undefined {
  if (output === Number) return { kind: 'scalar', type: 'number' };
  if (output === String) return { kind: 'scalar', type: 'string' };
  if (output === Boolean) return { kind: 'scalar', type: 'boolean' };
  if (isDto(output)) return { kind: 'class', cls: output };
  const [item, ...rest]: readonly unknown[] = Array.isArray(output) ? output : [];
  return rest.length === 0 && isDto(item) ? { kind: 'list', cls: item } : undefined;
}

/** The output contract of a tool. */
export function judgeOutput(judge: Judge, declared: DeclaredTool): OutputContract | undefined {
  const { output } = declared;
  const root = toRoot(output);
  if (output !== undefined && root === undefined) {
    judge.report(
      'illegal_option',
      'output is not a DTO, a list of one DTO, Number, String or Boolean',
      'Name the DTO class, [ItemDto], Number, String or Boolean, or leave output out.',
    );
    return undefined;
  }
  return collect(judge, () => outputContract(root));
}
