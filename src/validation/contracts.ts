/**
 * Makes the contracts of a tool from its declared input and output.
 * Invariant: a contract exists only for classes free of problems, and its `parse` accepts nothing that its
 * schema refuses.
 */
import type { Class } from '../contract/class';
import { oncePer } from '../contract/once';
import { childPointer } from '../contract/pointer';
import {
  type InputContract,
  type InputLimits,
  type InputOutcome,
  isSchema,
  MAX_VIOLATIONS,
  type OutputContract,
  type ParseOutcome,
  type Refused,
  type Violation,
} from '../contract/schema';
import type { JsonValue } from '../errors/body';
import { throwProblems } from '../errors/declaration-error';
import { defaultProblems } from '../schema/check-defaults';
import { unionProblems } from '../schema/check-unions';
import { emit, type Root } from '../schema/emit';
import { reachableModels, wayOfOutput } from '../schema/model';
import type { Way } from '../schema/property-model';
import type { ValueKind } from '../schema/property-type';
import { convert } from './convert';
import { Gate, gateOfClass } from './gate';
import { type Hydration, prepareHydration } from './hydrate';
import { hasRunningRules, runRules } from './run-rules';
import { snapshot } from './snapshot';
import { toJson } from './to-json';

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

function refuse(...violations: readonly Violation[]): Refused {
  return { ok: false, violations: violations.slice(0, MAX_VIOLATIONS) };
}

/** @throws DeclarationError with everything in the DTO, and in those it reaches, that cannot be taken. */
function demandSound(cls: Class, way: Way = 'in'): void {
  const models = reachableModels(cls, way);
  throwProblems(models.flatMap((model) => model.problems));
  // An initialiser is in the form of the class, and the rules are about what is written of it.
  const defaults = way === 'in' ? models.flatMap(defaultProblems) : [];
  throwProblems([...defaults, ...models.flatMap(unionProblems)]);
}

const gateOfList = oncePer((cls: Class) => new Gate(emit({ kind: 'list', cls })));
const writtenGates = {
  class: oncePer((cls: Class) => new Gate(emit({ kind: 'class', cls }, 'out'))),
  list: oncePer((cls: Class) => new Gate(emit({ kind: 'list', cls }, 'out'))),
};

/** The gate of what is written, or read, of a root; its classes must be free of problems. */
function gateOf(root: Root, way: Way): Gate {
  if (root.kind === 'scalar') return new Gate(emit(root));
  if (way === 'out') return writtenGates[root.kind](root.cls);
  return root.kind === 'list' ? gateOfList(root.cls) : gateOfClass(root.cls);
}

/**
 * The input contract of a DTO.
 *
 * @throws DeclarationError with everything in the DTO, and in those it reaches, that cannot be taken.
 */
export function inputContract<T extends object>(cls: Class<T>): InputContract<T> {
  demandSound(cls);
  const gate = gateOfClass(cls);
  const { emitted } = gate;
  const isRunning = hasRunningRules(cls);
  const isConverted = reachableModels(cls).some(({ transforms }) => transforms);
  let prepared: Hydration<T> | undefined;
  const prepare = (): Hydration<T> => {
    prepared ??= prepareHydration(cls);
    return prepared;
  };
  const conclude = (broken: readonly Violation[], value: T, json: JsonValue): InputOutcome<T> =>
    broken.length > 0 ? refuse(...broken) : { ok: true, value, json };
  return Object.freeze({
    dto: cls,
    schema: emitted.schema,
    validatorOnlyRules: emitted.validatorOnlyRules,
    warm: () => {
      gate.warm();
      prepare();
    },
    parse(given: unknown, limits?: InputLimits): InputOutcome<T> | Promise<InputOutcome<T>> {
      const { copy, hydrate } = prepared ?? prepare();
      const copied = snapshot(given ?? {}, limits, copy);
      if (!copied.ok) return copied;
      const json = copied.value;
      if (!isSchema(json)) {
        return refuse({ path: '', rule: 'isObject', message: `expected an object and got ${kindOf(json)}` });
      }
      const violations = gate.check(json);
      if (violations.length > 0) return refuse(...violations);
      const made = isConverted ? convert(cls, json) : { ok: true as const, value: hydrate(json) };
      if (!made.ok) return made;
      const { value } = made;
      const broken = isRunning ? runRules(cls, value, json) : [];
      return broken instanceof Promise
        ? broken.then((found) => conclude(found, value, json))
        : conclude(broken, value, json);
    },
  });
}

/** How an output was declared. */
export type OutputDeclaration = Root | undefined;

type DtoRoot = Exclude<Root, { kind: 'scalar' }>;

async function runOutputRules(
  { kind, cls }: DtoRoot,
  way: Way,
  { hydrate }: Hydration<object>,
  json: JsonValue,
): Promise<readonly Violation[]> {
  const items = kind === 'list' && Array.isArray(json) ? json : [json];
  const found = items.map(async (item: JsonValue, index) => {
    const path = kind === 'list' ? childPointer('', index) : '';
    return isSchema(item) ? runRules(cls, hydrate(item), item, path, way) : [];
  });
  return (await Promise.all(found)).flat();
}

/** Says of an output that is none that it is none, rather than which type it lacks. */
function ofNothing(output: null | undefined, outcome: ParseOutcome<JsonValue>): ParseOutcome<JsonValue> {
  if (outcome.ok) return outcome;
  const message = `the handler answered ${output === null ? 'null' : 'nothing'}, where a result is declared`;
  return refuse(...outcome.violations.map(({ path, rule }) => ({ path, rule, message })));
}

/** The output contract of a tool that declares none. */
function anyOutput(): OutputContract {
  return Object.freeze({
    schema: undefined,
    validatorOnlyRules: [],
    warm: () => undefined,
    parse: async (output: unknown, maxBytes?: number) => toJson(output, { maxBytes }),
    check: async (json: JsonValue) => ({ ok: true as const, value: json }),
  });
}

/**
 * The output contract of a DTO, a list of one, a scalar, or of a tool that declares none. The schema of a DTO is that
 * of what class-transformer writes of it.
 *
 * @throws DeclarationError with everything in the DTO, and in those it reaches, that cannot be taken.
 */
export function outputContract(root: OutputDeclaration): OutputContract {
  if (root === undefined) return anyOutput();
  const dto = root.kind === 'scalar' ? undefined : root;
  const way = dto === undefined ? 'in' : wayOfOutput(dto.cls);
  if (dto !== undefined) demandSound(dto.cls, way);
  const gate = gateOf(root, way);
  const { emitted } = gate;
  const running = dto !== undefined && hasRunningRules(dto.cls, way) ? dto : undefined;
  const kind: ValueKind | undefined = way === 'out' && dto ? { kind: 'class', cls: dto.cls } : undefined;
  let prepared: Hydration<object> | undefined;
  const runAll = async (dto: DtoRoot, json: JsonValue): Promise<ParseOutcome<JsonValue>> => {
    prepared ??= prepareHydration(dto.cls, way);
    const broken = await runOutputRules(dto, way, prepared, json);
    return broken.length > 0 ? refuse(...broken) : { ok: true, value: json };
  };
  const judge = (json: JsonValue): ParseOutcome<JsonValue> | Promise<ParseOutcome<JsonValue>> => {
    const violations = gate.check(json);
    if (violations.length > 0) return refuse(...violations);
    return running === undefined ? { ok: true, value: json } : runAll(running, json);
  };
  return Object.freeze({
    ...(dto === undefined ? {} : { dto: dto.cls }),
    schema: emitted.schema,
    validatorOnlyRules: emitted.validatorOnlyRules,
    warm: () => gate.warm(),
    async parse(output: unknown, maxBytes?: number): Promise<ParseOutcome<JsonValue>> {
      const converted = toJson(output, { maxBytes, kind });
      if (!converted.ok) return converted;
      const isNothing = output === undefined || output === null;
      return isNothing ? ofNothing(output, await judge(converted.value)) : judge(converted.value);
    },
    check: async (json: JsonValue) => judge(json),
  });
}
