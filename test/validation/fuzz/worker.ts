/**
 * Gives hostile values to contracts and to a toolkit, in a thread that its parent may end.
 * Invariant: the number of the value in work stands in shared memory, so that a hang has a name; what is wrong
 * with an outcome is reported, never thrown.
 */
import 'reflect-metadata';
import { parentPort, workerData } from 'node:worker_threads';
import {
  createToolkit,
  type InputOutcome,
  outputContract,
  type Toolkit,
  type ToolSpec,
  toModelName,
  toToolKey,
  type Violation,
} from 'toolcrib';
import { MARK } from './hostile-parts';
import { hostileOf } from './hostile-values';
import { watchPrototypes } from './prototypes';
import { TARGETS, type Target } from './targets';

/** One value that took long. */
interface Slow {
  readonly milliseconds: number;
  readonly number: number;
  readonly kind: string;
  readonly target: string;
}

/** What a run found. */
export interface Report {
  readonly values: number;
  readonly accepted: number;
  /** How many values each rule refused first. */
  readonly rules: Readonly<Record<string, number>>;
  readonly slowest: Slow;
  /** What should not have been, up to 20. */
  readonly faults: readonly string[];
}

const CHECK_EVERY = 250;
const MAX_FAULTS = 20;

function nameOf(at: number): string {
  return `fuzz.target${at}`;
}

function specOf({ contract }: Target, at: number): ToolSpec {
  return {
    name: nameOf(at),
    version: '1.0.0',
    key: toToolKey(nameOf(at), '1.0.0'),
    modelName: toModelName(nameOf(at)),
    title: undefined,
    description: 'Takes hostile values.',
    owner: undefined,
    scopes: [],
    sideEffect: { kind: 'none', idempotent: true, openWorld: false, declared: true },
    input: contract,
    output: outputContract(undefined),
    handler: () => 'done',
    timeoutMs: undefined,
    maxResultBytes: undefined,
    idempotencyKey: undefined,
    deprecated: false,
    source: { class: 'Fuzz', member: nameOf(at) },
  };
}

async function makeToolkit(): Promise<Toolkit> {
  const silent = (): void => undefined;
  const logger = { debug: silent, info: silent, warn: silent, error: silent };
  const toolkit = await createToolkit({ discover: { classes: [] }, logger, rateLimit: false });
  toolkit.registry.update((draft) => {
    for (const [at, target] of TARGETS.entries()) draft.register(specOf(target, at));
  });
  return toolkit;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Names what an accepted value holds that it should not: an injected member, or what is no JSON. */
function faultsOfValue(value: unknown): readonly string[] {
  const stack: unknown[] = [value];
  for (let one = stack.pop(); stack.length > 0 || one !== undefined; one = stack.pop()) {
    if (!isObject(one) || one instanceof Date) continue;
    if (MARK in one && !Object.hasOwn(one, MARK)) return ['inherits an injected member'];
    if (Object.values(Object.getOwnPropertyDescriptors(one)).some(({ get }) => get !== undefined)) {
      return ['holds a getter'];
    }
    stack.push(...Object.values(one));
  }
  return [];
}

function faultsOfViolations(violations: readonly Violation[]): readonly string[] {
  if (violations.length === 0 || violations.length > 20) return [`has ${violations.length} violations`];
  const isBounded = ({ path, rule, message }: Violation): boolean =>
    path.length < 1_000 && rule.length > 0 && rule.length < 100 && message.length < 1_000;
  return violations.every(isBounded) ? [] : ['has a violation without bounds'];
}

function faultsOf(outcome: InputOutcome<unknown>): readonly string[] {
  if (!outcome.ok) return faultsOfViolations(outcome.violations);
  return [...faultsOfValue(outcome.value), ...faultsOfValue(outcome.json)];
}

async function invoke(toolkit: Toolkit, at: number, value: unknown): Promise<readonly string[]> {
  const result = await toolkit.invoke(nameOf(at), value);
  return result.success || result.error.code === 'invalid_input' ? [] : [`ends as ${result.error.code}`];
}

async function run(first: number, count: number, inWork: Int32Array): Promise<Report> {
  const toolkit = await makeToolkit();
  toolkit.warm();
  const changed = watchPrototypes();
  const rules: Record<string, number> = {};
  const faults: string[] = [];
  let accepted = 0;
  let slowest: Slow = { milliseconds: 0, number: -1, kind: '', target: '' };
  for (let number = first; number < first + count && faults.length < MAX_FAULTS; number += 1) {
    Atomics.store(inWork, 0, number);
    const at = number % TARGETS.length;
    const target = TARGETS[at] ?? TARGETS[0];
    const { kind, value } = hostileOf(number, target);
    const report = (found: readonly string[]): void => {
      faults.push(...found.map((fault) => `value ${number} (${kind}) for ${target.name} ${fault}`));
    };
    const before = performance.now();
    try {
      const outcome = await target.contract.parse(value);
      const milliseconds = performance.now() - before;
      if (milliseconds > slowest.milliseconds) slowest = { milliseconds, number, kind, target: target.name };
      report(faultsOf(outcome));
      if (outcome.ok) accepted += 1;
      else rules[outcome.violations[0]?.rule ?? ''] = (rules[outcome.violations[0]?.rule ?? ''] ?? 0) + 1;
      if (number % 4 === 0) report(await invoke(toolkit, at, value));
    } catch (error) {
      report([`throws ${String(error)}`]);
    }
    if (number % CHECK_EVERY === 0) report(changed().map((place) => `or one before it changes ${place}`));
  }
  faults.push(...changed().map((place) => `${place} has changed`));
  return { values: count, accepted, rules, slowest, faults: faults.slice(0, MAX_FAULTS) };
}

const { first, count, inWork } = workerData;
run(first, count, inWork).then(
  (report) => parentPort?.postMessage(report),
  (error: unknown) => parentPort?.postMessage({ faults: [String(error)] }),
);
