/**
 * Listening to a signal that many calls share.
 * Invariant: there is one listener on the signal while anybody listens, and none when nobody does.
 */
import { getEventListeners } from 'node:events';
import { listenTo } from '../../src/invocation/shared-signal';

const count = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

it('puts one listener on a signal, which leaves with the last that listens', () => {
  const { signal } = new AbortController();
  const leaves = Array.from({ length: 20 }, () => listenTo(signal, () => {}));
  expect(count(signal)).toBe(1);
  for (const leave of leaves.slice(1)) leave();
  expect(count(signal)).toBe(1);
  leaves[0]?.();
  expect(count(signal)).toBe(0);
});

it('calls all that listen once, and none that has left', () => {
  const controller = new AbortController();
  const called: string[] = [];
  const leave = listenTo(controller.signal, () => called.push('left'));
  listenTo(controller.signal, () => called.push('one'));
  listenTo(controller.signal, () => called.push('two'));
  leave();
  controller.abort();
  controller.abort();
  expect(called).toEqual(['one', 'two']);
  expect(count(controller.signal)).toBe(0);
});

it('lets listeners leave while it calls them, also twice, and listens anew afterwards', () => {
  const controller = new AbortController();
  const called: string[] = [];
  const leave = listenTo(controller.signal, () => {
    called.push('one');
    leave();
    leave();
  });
  leave();
  const again = listenTo(controller.signal, () => called.push('two'));
  leave();
  expect(count(controller.signal)).toBe(1);
  controller.abort();
  again();
  expect(called).toEqual(['two']);
});

it('does not take what is no signal for one', () => {
  const none: unknown[] = [{}, null, 'signal', { addEventListener: true }];
  for (const signal of none) {
    const leave: unknown = Reflect.apply(listenTo, undefined, [signal, () => {}]);
    expect(typeof leave).toBe('function');
  }
  listenTo(undefined, () => {})();
});
