/**
 * The case MCP-09: a client that does not wait any more.
 * Invariant: it holds over stdio, and over HTTP in the way of each era.
 */
import type { Slow } from '../../fixtures/mcp/case-tools';
import { request, resultOf, until, type Wire } from '../../fixtures/mcp/wire';
import { WAYS, Wires } from '../../fixtures/mcp/wires';

const wires = new Wires();
afterAll(() => wires.close());

function isSlow(value: unknown): value is Slow {
  return typeof value === 'object' && value !== null && 'aborted' in value;
}

async function seen(wire: Wire): Promise<Slow> {
  const slow = await resultOf(wire, 'case_seen');
  if (isSlow(slow)) return slow;
  throw new Error('the tool did not tell');
}

describe.each(WAYS)('MCP-09 over %s, in the era of %s', (transport, era) => {
  it('the handler is told, its work stops, and there is no answer', async () => {
    const wire = await wires.open(transport, era);
    const call = wire.start('tools/call', { name: 'case_slow' });
    await until(
      () => seen(wire),
      ({ effects }) => effects > 0,
    );
    await wire.cancel(987_654);
    await call.cancel();
    await call.cancel();
    const { effects } = await until(
      () => seen(wire),
      ({ aborted, ends }) => aborted === 1 && ends.length === 1,
    );
    const later = await seen(wire);
    expect(later).toEqual({ started: 1, held: 0, effects, aborted: 1, ends: ['cancelled'] });
    expect(wire.received.filter(({ id }) => id === call.id)).toEqual([]);
    // The connection goes on.
    expect(await request(wire, 'tools/list')).toHaveProperty('result.tools');
  });
});

describe('MCP-09: over HTTP in the era of 2025', () => {
  it('only the session that has made a call can cancel it', async () => {
    const [one, other] = await wires.openTwo('2025-11-25');
    const call = one.start('tools/call', { name: 'case_slow' });
    await until(
      () => seen(one),
      ({ effects }) => effects > 0,
    );
    await other.cancel(call.id);
    const { effects } = await seen(one);
    // It works on.
    const { aborted } = await until(
      () => seen(one),
      (slow) => slow.effects > effects,
    );
    expect(aborted).toBe(0);
    await call.cancel();
    await until(
      () => seen(one),
      (slow) => slow.aborted === 1,
    );
  });
});
