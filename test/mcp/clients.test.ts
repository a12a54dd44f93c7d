/**
 * The clients that people have, against one server of the same tools. TOOLCRIB_CLIENTS=whole adds the Inspector, which
 * takes seconds for each thing it does, and starts a server for every client over stdio.
 * Invariant: every client does everything, or says why it cannot.
 */
import { type Bundle, bundle } from '../fixtures/mcp/bundle';
import { caseToolkit } from '../fixtures/mcp/case-tools';
import { INSPECTORS } from '../fixtures/mcp/clients/inspector';
import { LANGGRAPH_AGENT } from '../fixtures/mcp/clients/langgraph-agent';
import { type Deed, envelopeIn, type Outcome, type Peer, type PeerKind } from '../fixtures/mcp/clients/peer';
import { SDK_CLIENTS } from '../fixtures/mcp/clients/sdk-clients';
import { type HttpServer, serveHttp } from '../fixtures/mcp/http-wire';
import { until } from '../fixtures/mcp/wire';

const isWhole = process.env.TOOLCRIB_CLIENTS === 'whole';
const KINDS: readonly PeerKind[] = [...SDK_CLIENTS, LANGGRAPH_AGENT, ...(isWhole ? INSPECTORS : [])];

const TOTAL = { total: 3, rate: 0.1 + 0.2, words: 'ünï 🙂 "quoted"\n' };

/** A list or a scalar, which clients of 2025 get within an object. */
function told(structured: unknown): unknown {
  return typeof structured === 'object' && structured !== null && 'result' in structured
    ? structured.result
    : structured;
}

function failure(code: string): object {
  return { isError: true, error: { code } };
}

async function seen(peer: Peer): Promise<{ readonly aborted: number; readonly effects: number }> {
  return Object((await peer.call('case_seen')).structured);
}

const DEEDS: { readonly [D in Deed]: (peer: Peer) => Promise<void> } = {
  list: async (peer) => {
    const names = await peer.names();
    expect(names).toEqual(expect.arrayContaining(['case_ping', 'case_total', 'case_slow']));
    expect(names).not.toContain('case_secret');
  },
  call: async (peer) => {
    const outcome = await peer.call('case_optional', { note: 'a note' });
    expect(outcome).toMatchObject({ isError: false, structured: { note: 'a note' } });
  },
  'bad input': async (peer) => {
    const outcome = await peer.call('case_book', { day: 'yesterday-ish' });
    expect(outcome.isError).toBe(true);
    // LangChain checks the arguments itself.
    if (!outcome.text.includes('did not match expected schema')) {
      expect(envelopeIn(outcome.text)).toMatchObject(failure('invalid_input'));
    }
  },
  'missing scope': async (peer) => {
    const outcome = await peer.call('case_secret');
    expect(outcome).toMatchObject({ isError: true });
    expect(envelopeIn(outcome.text)).toMatchObject(failure('insufficient_scope'));
  },
  progress: async (peer) => {
    const heard: number[] = [];
    const onProgress = (progress: number) => {
      heard.push(progress);
      if (progress === 3) void peer.call('case_go_on');
    };
    const outcome = await peer.call('case_steps', {}, { onProgress });
    expect(outcome).toMatchObject({ isError: false, structured: { steps: 3 } });
    expect(heard).toEqual([1, 2, 3]);
  },
  cancel: async (peer) => {
    const abort = new AbortController();
    const calling: Promise<Outcome | 'given up'> = peer
      .call('case_slow', {}, { signal: abort.signal })
      .catch(() => 'given up');
    await until(
      () => seen(peer),
      ({ effects }) => effects > 0,
    );
    abort.abort();
    expect(await calling).toBe('given up');
    await until(
      () => seen(peer),
      ({ aborted }) => aborted === 1,
    );
  },
  error: async (peer) => {
    const outcome = await peer.call('case_fail');
    expect(outcome.isError).toBe(true);
    expect(envelopeIn(outcome.text)).toMatchObject(failure('out_of_stock'));
  },
  'unknown tool': async (peer) => {
    expect(await peer.call('case_nothing')).toMatchObject({ isError: true, protocolCode: -32602 });
  },
  'structured object': async (peer) => {
    expect((await peer.call('case_total')).structured).toEqual(TOTAL);
  },
  'structured list': async (peer) => {
    expect(told((await peer.call('case_list')).structured)).toEqual([TOTAL, TOTAL]);
  },
  'structured scalar': async (peer) => {
    expect(told((await peer.call('case_count', { count: 7 })).structured)).toBe(7);
  },
};

function isDeed(name: string): name is Deed {
  return Object.hasOwn(DEEDS, name);
}

describe.each(KINDS)('$name', ({ name, lacks, open }) => {
  const isShort = !isWhole && name !== SDK_CLIENTS[0]?.name;
  describe.each(isShort ? (['HTTP'] as const) : (['HTTP', 'stdio'] as const))('over %s', (transport) => {
    let peer: Peer;
    let server: HttpServer | undefined;
    let compiled: Bundle | undefined;
    beforeAll(async () => {
      if (transport === 'HTTP') {
        server = await serveHttp(await caseToolkit());
        peer = await open({ transport, url: server.url });
      } else {
        compiled = bundle('case-server');
        peer = await open({ transport, file: compiled.file });
      }
    });
    afterAll(async () => {
      await peer.close();
      await server?.close();
      compiled?.remove();
    });

    for (const deed of Object.keys(DEEDS).filter(isDeed)) {
      const reason = lacks[deed];
      if (reason === undefined) it(deed, () => DEEDS[deed](peer), 60_000);
      else it.skip(`${deed}: ${reason}`, () => {});
    }
  });
});
