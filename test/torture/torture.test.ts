/**
 * Every misbehaving handler through every door: in each run of the tests the short form, where each handler goes
 * through every third door, and the whole, with every door and every side effect, where TOOLCRIB_TORTURE=whole.
 * Invariant: each call gives one well-formed envelope, nothing goes unhandled, and nothing is left behind.
 */
import { getEventListeners } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import { FRAMEWORK_ERROR_CODES, type SideEffectKind } from 'toolcrib';
import { CONTENTS } from './contents';
import { DOORS, type Door } from './doors';
import { activeResources, host, OWN_WARNING, runningTimers, watchProcess, watchTimers } from './host';
import { ended, type Misbehaviour, toolOf } from './misbehaviour';
import { OUTPUTS } from './outputs';
import { SETTLES } from './settles';
import { THROWS } from './throws';

const isWhole = process.env.TOOLCRIB_TORTURE === 'whole';
const kinds: readonly SideEffectKind[] = isWhole ? ['none', 'write', 'destructive'] : ['none'];
const doors = DOORS.filter(({ isShort }) => isWhole || isShort);
const cases = [...THROWS, ...SETTLES, ...OUTPUTS, ...CONTENTS];

const CODES: readonly string[] = [...FRAMEWORK_ERROR_CODES, 'torture_failed'];

/** Holds an envelope to its form. */
function expectWellFormed(envelope: unknown): void {
  expect(isDeepStrictEqual(JSON.parse(JSON.stringify(envelope)), envelope)).toBe(true);
  const { isError, result, error, content, ...others }: { [member: string]: unknown } = Object(envelope);
  expect(others).toEqual({});
  if (isError === false) {
    expect([result === undefined, error, content ?? []]).toEqual([false, undefined, expect.any(Array)]);
    expect(JSON.stringify(result)).not.toContain('t0k-EXAMPLE');
    return;
  }
  expect([isError, result, content]).toEqual([true, undefined, undefined]);
  const { code, message, retryable, detail: _detail, retryAfterMs = 0, ...rest } = Object(error);
  expect(rest).toEqual({});
  expect(CODES).toContain(code);
  expect([typeof message, typeof retryable, typeof retryAfterMs]).toEqual(['string', 'boolean', 'number']);
  expect(message).not.toMatch(/^$|\[object Object\]|\bundefined\b|t0k-EXAMPLE/);
}

/** How a call of a tool with some side effect ends. */
function endingOf({ ends }: Misbehaviour, kind: SideEffectKind): string {
  return ends === 'timeout' && kind !== 'none' ? 'outcome_unknown' : ends;
}

function codeOf(envelope: unknown): unknown {
  const { isError, error }: { [member: string]: unknown } = Object(envelope);
  return isError === true ? Object(error).code : 'done';
}

/** Jest draws its status a tenth of a second after each change, and a loaded machine takes its time. */
const JEST_MS = 2_500;

const watch = watchProcess();
watchTimers();
let before: { readonly [kind: string]: number } = {};

beforeAll(async () => {
  await ended();
  before = activeResources();
});

afterAll(() => {
  watch.stop();
  for (const door of DOORS) door.close();
});

it('has at least 60 cases, no two of one name, and the doors', () => {
  expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
  expect(cases.length).toBeGreaterThanOrEqual(60);
  expect(doors.length).toBeGreaterThanOrEqual(6);
});

/** In the short form each handler goes through every third door. */
function casesOf(door: Door): readonly Misbehaviour[] {
  const place = doors.indexOf(door);
  return cases.filter((_, index) => isWhole || (index + place) % 3 === 0);
}

describe.each(doors)('$name', (door) => {
  let leftByOthers = 0;
  beforeAll(async () => {
    const { signal } = new AbortController();
    await door.idle?.(signal);
    leftByOthers = getEventListeners(signal, 'abort').length;
  });

  describe.each(kinds)('side effect %s', (kind) => {
    it.each(casesOf(door))('a handler that $name ends in $ends', async (misbehaviour) => {
      const { signal } = new AbortController();
      const envelope = await door.call(toolOf(misbehaviour, kind), signal);
      expectWellFormed(envelope);
      expect(codeOf(envelope)).toBe(endingOf(misbehaviour, kind));
      expect(getEventListeners(signal, 'abort')).toHaveLength(leftByOthers);
    });
  });
});

describe('afterwards', () => {
  it('nothing was unhandled, and nobody was warned', async () => {
    await ended();
    expect(watch.seen).toEqual([]);
  });

  it('no timer and no handle is left', async () => {
    await ended();
    expect(runningTimers()).toBe(0);
    const more = () =>
      Object.entries(activeResources()).filter(([kind, count]) => count > (before[kind] ?? 0));
    // Timers and handles of jest itself come and go; a handle that was left does not.
    const until = performance.now() + JEST_MS;
    while (more().length > 0 && performance.now() < until) await new Promise(setImmediate);
    expect(more()).toEqual([]);
  });

  it('the watch itself sees what there is to see', async () => {
    const own = watchProcess();
    host.emitWarning('on purpose', OWN_WARNING);
    host.emitWarning('seen', 'OtherWarning');
    const timer = setTimeout(() => {}, 60_000);
    expect(runningTimers()).toBe(1);
    clearTimeout(timer);
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(runningTimers()).toBe(0);
    await new Promise(setImmediate);
    own.stop();
    expect(own.seen).toEqual(['OtherWarning: seen']);
  });
});
