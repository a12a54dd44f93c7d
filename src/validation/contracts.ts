/**
 * Makes the contracts of a tool from its declared input and output.
 * Invariant: a contract exists only for classes free of problems, and its `parse` accepts nothing that its
 * schema refuses.
 */
import type { Class } from '../contract/class';
import type { InputContract, InputLimits, OutputContract, ParseOutcome, Violation } from '../contract/schema';
import type { JsonValue } from '../errors/body';
import { throwProblems } from '../errors/declaration-error';
import { defaultProblems } from '../schema/check-defaults';
import { type Emitted, emit, type Root } from '../schema/emit';
import { reachableModels } from '../schema/model';
import { Gate } from './gate';
import { hydrate } from './hydrate';
import { checkLimits } from './limits';
import { childPointer } from './pointer';
import { hasRunningRules, runRules } from './run-rules';
import { toJson } from './to-json';

const MAX_VIOLATIONS = 20;

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

function refuse<T>(...violations: readonly Violation[]): ParseOutcome<T> {
  return { ok: false, violations: violations.slice(0, MAX_VIOLATIONS) };
}

function isJsonObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function emitSound(root: Root): Emitted {
  const models = root.kind === 'scalar' ? [] : reachableModels(root.cls);
  throwProblems(models.flatMap((model) => model.problems));
  throwProblems(models.flatMap(defaultProblems));
  return emit(root);
}

/**
 * The input contract of a DTO.
 *
 * @throws DeclarationError with everything in the DTO, and in those it reaches, that cannot be taken.
 */
export function inputContract<T extends object>(cls: Class<T>): InputContract<T> {
  const emitted = emitSound({ kind: 'class', cls });
  const gate = new Gate(emitted);
  const isRunning = hasRunningRules(cls);
  return Object.freeze({
    schema: emitted.schema,
    validatorOnlyRules: emitted.validatorOnlyRules,
    warm: () => gate.warm(),
    async parse(given: unknown, limits?: InputLimits): Promise<ParseOutcome<T>> {
      const raw = given ?? {};
      const beyond = checkLimits(raw, limits);
      if (beyond !== undefined) return refuse(beyond);
      if (!isJsonObject(raw)) {
        return refuse({ path: '', rule: 'isObject', message: `expected an object and got ${kindOf(raw)}` });
      }
      const violations = gate.check(raw);
      if (violations.length > 0) return refuse(...violations);
      const value = hydrate(cls, raw);
      const broken = isRunning ? await runRules(cls, value) : [];
      return broken.length > 0 ? refuse(...broken) : { ok: true, value };
    },
  });
}

/** How an output was declared. */
export type OutputDeclaration = Root | undefined;

async function runOutputRules(root: Root, json: JsonValue): Promise<readonly Violation[]> {
  if (root.kind === 'scalar') return [];
  const items = root.kind === 'list' && Array.isArray(json) ? json : [json];
  const found = items.map(async (item: unknown, index) => {
    const path = root.kind === 'list' ? childPointer('', index) : '';
    return isJsonObject(item) ? runRules(root.cls, hydrate(root.cls, item), path) : [];
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
      parse: async (output: unknown) => toJson(output),
    });
  }
  const emitted = emitSound(root);
  const gate = new Gate(emitted);
  const isRunning = root.kind !== 'scalar' && hasRunningRules(root.cls);
  return Object.freeze({
    schema: emitted.schema,
    validatorOnlyRules: emitted.validatorOnlyRules,
    warm: () => gate.warm(),
    async parse(output: unknown): Promise<ParseOutcome<JsonValue>> {
      const converted = toJson(output);
      if (!converted.ok) return converted;
      const violations = gate.check(converted.value);
      if (violations.length > 0) return refuse(...violations);
      const broken = isRunning ? await runOutputRules(root, converted.value) : [];
      return broken.length > 0 ? refuse(...broken) : converted;
    },
  });
}
