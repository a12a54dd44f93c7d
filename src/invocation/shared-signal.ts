/**
 * Listens to the callers' signals, with one listener on each however many calls share it.
 * Invariant: a signal has no listener of ours once the last call that listened has left.
 */

interface Hub {
  readonly listeners: Set<() => void>;
  readonly onAbort: () => void;
}

// Node warns of a leak from eleven listeners on, and raising that bound would hide leaks of the caller's own.
const hubs = new WeakMap<AbortSignal, Hub>();

function openHub(signal: AbortSignal): Hub {
  const listeners = new Set<() => void>();
  const onAbort = (): void => {
    for (const listener of [...listeners]) listener();
  };
  const hub = { listeners, onAbort };
  signal.addEventListener('abort', onAbort, { once: true });
  hubs.set(signal, hub);
  return hub;
}

/** Calls a listener when the signal aborts; gives the function that leaves. What is no signal never aborts. */
export function listenTo(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (typeof signal?.addEventListener !== 'function') return () => {};
  const hub = hubs.get(signal) ?? openHub(signal);
  hub.listeners.add(listener);
  return () => {
    hub.listeners.delete(listener);
    if (hub.listeners.size > 0 || hubs.get(signal) !== hub) return;
    hubs.delete(signal);
    signal.removeEventListener?.('abort', hub.onAbort);
  };
}
