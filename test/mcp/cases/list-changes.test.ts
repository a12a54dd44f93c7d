/**
 * The case MCP-06: the list of tools changes while clients are there.
 * Invariant: it holds over both transports and in both eras, where the protocol lets a client be told.
 */
import { createToolkit, type ToolSpec } from 'toolcrib';
import { makeSpec } from '../../fixtures/hand-made-spec';
import { type HttpServer, HttpWire, serveHttp } from '../../fixtures/mcp/http-wire';
import {
  callTool,
  HANDSHAKE,
  type Message,
  request,
  resultOf,
  until,
  type Wire,
} from '../../fixtures/mcp/wire';
import { WAYS, Wires } from '../../fixtures/mcp/wires';
import { recordingLogger } from '../../fixtures/recorded-toolkit';

const CHANGED = 'notifications/tools/list_changed';
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';
const LISTEN = { notifications: { toolsListChanged: true } };

async function namesOf(wire: Wire): Promise<readonly string[]> {
  const { result } = await request(wire, 'tools/list');
  const { tools } = Object(result);
  return tools.map(({ name }: { readonly name: string }) => name);
}

function told(wire: Wire): readonly Message[] {
  return wire.received.filter(({ method }) => method === CHANGED);
}

/** Waits until a client has been told so often. */
async function toldTimes(wire: Wire, times: number): Promise<void> {
  await until(
    async () => told(wire).length,
    (count) => count >= times,
  );
}

async function listen(wire: Wire): Promise<void> {
  wire.start('subscriptions/listen', LISTEN);
  await until(
    async () => wire.received.some(({ method }) => method === ACKNOWLEDGED),
    (isThere) => isThere,
  );
}

describe.each(WAYS)('MCP-06 over %s, in the era of %s', (transport, era) => {
  const wires = new Wires();
  let wire: Wire;
  beforeAll(async () => {
    wire = await wires.open(transport, era);
  });
  afterAll(() => wires.close());

  const isDeaf = transport === 'HTTP' && era === '2025-11-25';

  it('promises to tell of changes only where it can', async () => {
    const greeting =
      era === '2026-07-28' || transport === 'HTTP'
        ? await request(wire, era === '2026-07-28' ? 'server/discover' : 'initialize', HANDSHAKE)
        : wire.received[0];
    expect(greeting?.result).toMatchObject({ capabilities: { tools: { listChanged: !isDeaf } } });
  });

  it('a call that runs is answered, though its tool is gone, and the next is not', async () => {
    if (era === '2026-07-28') await listen(wire);
    const held = wire.start('tools/call', { name: 'case_hold' });
    await until(
      () => resultOf(wire, 'case_seen'),
      (seen) => Object(seen).held === 1,
    );
    expect(await callTool(wire, 'case_change')).toMatchObject({ result: expect.any(Object) });
    expect(await held.answer).toMatchObject({ result: { structuredContent: { held: true } } });
    expect(await callTool(wire, 'case_hold')).toMatchObject({ error: { code: -32602 } });
    const names = await namesOf(wire);
    expect(names).toContain('case_late');
    expect(names).not.toContain('case_hold');
    if (isDeaf) return;
    await toldTimes(wire, 1);
    expect(told(wire)).toHaveLength(1);
    const { params = {} } = Object(told(wire)[0]);
    // An object, or left out, and never a list.
    expect(Object.keys(params).every((key) => key === '_meta')).toBe(true);
  });
});

describe('MCP-06: two clients with different scopes', () => {
  let server: HttpServer;
  let update: (...specs: ToolSpec[]) => void;
  let reader: HttpWire;
  let admin: HttpWire;
  beforeAll(async () => {
    const toolkit = await createToolkit({ discover: {}, logger: recordingLogger([]) });
    update = (...specs) =>
      toolkit.registry.update((draft) => {
        for (const { key } of toolkit.registry.list()) draft.remove(key);
        for (const spec of specs) draft.register(spec);
      });
    update(makeSpec('a.first'));
    server = await serveHttp(toolkit);
    reader = await HttpWire.connect('2026-07-28', server.url, ['read']);
    admin = await HttpWire.connect('2026-07-28', server.url, ['admin']);
    await Promise.all([listen(reader), listen(admin)]);
  });
  afterAll(async () => {
    await Promise.all([reader.close(), admin.close()]);
    await server.close();
  });

  const first = makeSpec('a.first');
  const secret = makeSpec('b.secret', '1.0.0', { scopes: ['admin'] });

  it('each is told once of what concerns it, however many updates there are, and of nothing else', async () => {
    const start = makeSpec('a.first');
    update(start);
    await Promise.all([toldTimes(reader, 1), toldTimes(admin, 1)]);
    // What only the one may call.
    update(start, secret);
    update(start, secret, makeSpec('c.secret', '1.0.0', { scopes: ['admin'] }));
    update(start, secret);
    await toldTimes(admin, 2);
    expect(await namesOf(admin)).toEqual(['a_first', 'b_secret']);
    // What both may call.
    update(first, secret, makeSpec('d.open'));
    await Promise.all([toldTimes(reader, 2), toldTimes(admin, 3)]);
    expect([told(reader).length, told(admin).length]).toEqual([2, 3]);
    expect(await namesOf(reader)).toEqual(['a_first', 'd_open']);
  });
});
