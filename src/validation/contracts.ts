/**
 * Makes the contracts of a tool from its declared input and output.
 * Invariant: a contract exists only for classes free of problems, and its `parse` accepts nothing that its
 * schema refuses.
 */
import type { Class } from '../contract/class';
import { oncePer } from '../contract/once';
import { childPointer } from '../contract/pointer';
import type {
  InputContract,
  InputLimits,
  InputOutcome,
  OutputContract,
  ParseOutcome,
  Refused,
  Violation,
} from '../contract/schema';
import type { JsonValue } from '../errors/body';
import { throwProblems } from '../errors/declaration-error';
import { defaultProblems } from '../schema/check-defaults';
import { type Emitted, emit, type Root } from '../schema/emit';
import { reachableModels } from '../schema/model';
import { Gate } from './gate';
import { type Hydration, prepareHydration } from './hydrate';
import { hasRunningRules, runRules } from './run-rules';
import { snapshot } from './snapshot';
import { toJson } from './to-json';

const MAX_VIOLATIONS = 20;

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

function refuse(...violations: readonly Violation[]): Refused {
  return { ok: false, violations: violations.slice(0, MAX_VIOLATIONS) };
}

function isJsonObject(value: JsonValue): value is { readonly [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function emitSound(root: Exclude<Root, { kind: 'scalar' }>): Emitted {
  const models = reachableModels(root.cls);
  throwProblems(models.flatMap((model) => model.problems));
  throwProblems(models.flatMap(defaultProblems));
  return emit(root);
}

// Tools, toolkits and both contracts of one class share one schema, which is compiled once.
const gateOfClass = oncePer((cls: Class) => new Gate(emitSound({ kind: 'class', cls })));
const gateOfList = oncePer((cls: Class) => new Gate(emitSound({ kind: 'list', cls })));

function gateOf(root: Root): Gate {
  if (root.kind === 'class') return gateOfClass(root.cls);
  return root.kind === 'list' ? gateOfList(root.cls) : new Gate(emit(root));
}

/**
 * The input contract of a DTO.
 *
 * @throws DeclarationError with everything in the DTO, and in those it reaches, that cannot be taken.
 */
export function inputContract<T extends object>(cls: Class<T>): InputContract<T> {
  const gate = gateOfClass(cls);
  const { emitted } = gate;
  const isRunning = hasRunningRules(cls);
  let prepared: Hydration<T> | undefined;
  const prepare = (): Hydration<T> => {
    prepared ??= prepareHydration(cls);
    return prepared;
  };
  const run = async (value: T, json: JsonValue): Promise<InputOutcome<T>> => {
    const broken = await runRules(cls, value);
    return broken.length > 0 ? refuse(...broken) : { ok: true, value, json };
  };
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
      if (!isJsonObject(json)) {
        return refuse({ path: '', rule: 'isObject', message: `expected an object and got ${kindOf(json)}` });
      }
      if (!gate.accepts(json)) return refuse(...gate.explain(json));
      const value = hydrate(json);
      return isRunning ? run(value, json) : { ok: true, value, json };
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
    return isJsonObject(item) ? runRules(root.cls, hydrate(item), path) : [];
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
  const hydrated = root.kind !== 'scalar' && hasRunningRules(root.cls) ? root : undefined;
  let prepared: Hydration<object> | undefined;
  return Object.freeze({
    ...(root.kind === 'scalar' ? {} : { dto: root.cls }),
    schema: emitted.schema,
    validatorOnlyRules: emitted.validatorOnlyRules,
    warm: () => gate.warm(),
    async parse(output: unknown, maxBytes?: number): Promise<ParseOutcome<JsonValue>> {
      const converted = toJson(output, maxBytes);
      if (!converted.ok) return converted;
      if (!gate.accepts(converted.value)) return refuse(...gate.explain(converted.value));
      if (hydrated === undefined) return converted;
      prepared ??= prepareHydration(hydrated.cls);
      const broken = await runOutputRules(hydrated, prepared, converted.value);
      return broken.length > 0 ? refuse(...broken) : converted;
    },
  });
}
