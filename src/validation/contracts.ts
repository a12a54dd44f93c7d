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
import { type DeclarationProblem, throwProblems } from '../errors/declaration-error';
import { defaultProblems } from '../schema/check-defaults';
import { unionProblems } from '../schema/check-unions';
import { emit, type Root } from '../schema/emit';
import { reachableModels } from '../schema/model';
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
function demandSound(cls: Class): void {
  const models = reachableModels(cls);
  throwProblems(models.flatMap((model) => model.problems));
  throwProblems(models.flatMap((model) => [...defaultProblems(model), ...unionProblems(model)]));
}

/** What is wrong with a class as an output, which is written as it is and not by class-transformer. */
function outputProblems(cls: Class): readonly DeclarationProblem[] {
  return reachableModels(cls).flatMap(({ cls: { name }, rewritten }) =>
    rewritten.map((member) => ({
      code: 'unsupported_rule' as const,
      place: { class: name, member },
      message: 'an output is written as it is, and @Transform or a name given by @Expose would change it',
      mend: 'Declare the output as the handler returns it, in a DTO of its own.',
    })),
  );
}

const gateOfList = oncePer((cls: Class) => new Gate(emit({ kind: 'list', cls })));

function gateOf(root: Root): Gate {
  if (root.kind === 'scalar') return new Gate(emit(root));
  demandSound(root.cls);
  return root.kind === 'list' ? gateOfList(root.cls) : gateOfClass(root.cls);
}

/**
 * The input contract of a DTO.
 *
 * @throws DeclarationError with everything in the DTO, and in those it reaches, that cannot be taken.
 */
export function inputContract<T extends object>(cls: Class<T>): InputContract<T> {
  const gate = gateOf({ kind: 'class', cls });
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

async function runOutputRules(
  root: Exclude<Root, { kind: 'scalar' }>,
  { hydrate }: Hydration<object>,
  json: JsonValue,
): Promise<readonly Violation[]> {
  const items = root.kind === 'list' && Array.isArray(json) ? json : [json];
  const found = items.map(async (item: JsonValue, index) => {
    const path = root.kind === 'list' ? childPointer('', index) : '';
    return isSchema(item) ? runRules(root.cls, hydrate(item), item, path) : [];
  });
  return (await Promise.all(found)).flat();
}

/**
 * The output contract of a DTO, a list of one, a scalar, or of a tool that declares none.
 *
 * @throws DeclarationError with everything in the DTO, and in those it reaches, that cannot be taken.
 */
export function outputContract(root: OutputDeclaration): OutputContract {
  if (root === undefined) {
    return Object.freeze({
      schema: undefined,
      validatorOnlyRules: [],
      warm: () => undefined,
      parse: async (output: unknown, maxBytes?: number) => toJson(output, maxBytes),
    });
  }
  const gate = gateOf(root);
  const { emitted } = gate;
  if (root.kind !== 'scalar') throwProblems(outputProblems(root.cls));
  const running = root.kind !== 'scalar' && hasRunningRules(root.cls) ? root : undefined;
  let prepared: Hydration<object> | undefined;
  return Object.freeze({
    ...(root.kind === 'scalar' ? {} : { dto: root.cls }),
    schema: emitted.schema,
    validatorOnlyRules: emitted.validatorOnlyRules,
    warm: () => gate.warm(),
    async parse(output: unknown, maxBytes?: number): Promise<ParseOutcome<JsonValue>> {
      const converted = toJson(output, maxBytes);
      if (!converted.ok) return converted;
      const violations = gate.check(converted.value);
      if (violations.length > 0) return refuse(...violations);
      if (running === undefined) return converted;
      prepared ??= prepareHydration(running.cls);
      const broken = await runOutputRules(running, prepared, converted.value);
      return broken.length > 0 ? refuse(...broken) : converted;
    },
  });
}
