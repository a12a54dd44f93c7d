/**
 * The process in which the tests run: what reaches it unhandled, and what is left running in it.
 * Invariant: it is the real process, and not the copy that jest gives to tests, which hears of no events.
 */
import { runInThisContext } from 'node:vm';

function isProcess(value: unknown): value is NodeJS.Process {
  return typeof value === 'object' && value !== null && 'getActiveResourcesInfo' in value;
}

function findHost(): NodeJS.Process {
  const found: unknown = runInThisContext('process');
  if (!isProcess(found)) throw new TypeError('there is no process');
  return found;
}

/** The real process. */
export const host = findHost();

/** The warnings that handlers give on purpose. */
export const OWN_WARNING = 'TortureWarning';

/** What a watch has seen. */
export interface Watch {
  readonly seen: readonly string[];
  stop(): void;
}

/** Watches the process for everything that nobody handled, and for warnings. */
export function watchProcess(): Watch {
  const seen: string[] = [];
  const listeners = {
    unhandledRejection: (reason: unknown) => seen.push(`unhandledRejection of a ${typeof reason}`),
    uncaughtExceptionMonitor: (error: Error) => seen.push(`uncaughtException ${typeof error}`),
    warning: ({ name, message }: Error) => name !== OWN_WARNING && seen.push(`${name}: ${message}`),
  };
  host.on('unhandledRejection', listeners.unhandledRejection);
  host.on('uncaughtExceptionMonitor', listeners.uncaughtExceptionMonitor);
  host.on('warning', listeners.warning);
  const stop = () => {
    host.off('unhandledRejection', listeners.unhandledRejection);
    host.off('uncaughtExceptionMonitor', listeners.uncaughtExceptionMonitor);
    host.off('warning', listeners.warning);
  };
  return { seen, stop };
}

/** How much of each kind keeps the process alive. */
export function activeResources(): { readonly [kind: string]: number } {
  const counts: { [kind: string]: number } = {};
  for (const kind of host.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

const running = new Set<unknown>();

/** Watches the timers of the code under test; those of jest itself, which has its own, are no matter. */
export function watchTimers(): void {
  globalThis.setTimeout = new Proxy(globalThis.setTimeout, {
    apply(target, self, [act, ...others]) {
      const onTime = (...args: readonly unknown[]) => {
        running.delete(timer);
        return Reflect.apply(act, undefined, args);
      };
      const timer = Reflect.apply(target, self, [onTime, ...others]);
      running.add(timer);
      return timer;
    },
  });
  globalThis.clearTimeout = new Proxy(globalThis.clearTimeout, {
    apply(target, self, args) {
      running.delete(args[0]);
      return Reflect.apply(target, self, args);
    },
  });
}

/** How many of the watched timers have neither fired nor been cleared. */
export function runningTimers(): number {
  return running.size;
}
