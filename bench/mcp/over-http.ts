/**
 * Measures requests over HTTP on the loopback, by the CPU time that each server says it has taken.
 * Invariant: in every round each server answers as many requests, in shuffled order, and every answer is looked at.
 */
import { deepStrictEqual } from 'node:assert';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { ratio, shuffled, spread } from '../harness';
import type { Line } from '../report';
import type { Shape } from '../shapes';
import { nameOf } from './servers';
import { type Era, requireSuccess, resultOf, toSent } from './wire';

const MOST_AGAINST_SDK = 1.25;
const ROUNDS = 21;
const WARM_UP_ROUNDS = 8;
const REQUESTS = 160;
const IN_FLIGHT = 8;

/** Where NestJS is installed on demand, since nothing else here needs it. */
export const NEST = join(__dirname, '../../nest');

interface Server {
  readonly name: string;
  readonly era: Era;
  readonly child: ChildProcess;
  readonly port: number;
  readonly agent: Agent;
}

interface Peer {
  readonly name: string;
  readonly era: Era;
  readonly script: string;
  readonly kind: string;
}

const OWN_SCRIPT = join(__dirname, 'server.js');
const PEERS: readonly Peer[] = [
  { name: 'toolkit', era: '2026-07-28', script: OWN_SCRIPT, kind: 'ours' },
  { name: 'SDK + zod by hand', era: '2026-07-28', script: OWN_SCRIPT, kind: 'sdk' },
];
const LEGACY: readonly Peer[] = [
  { name: 'SDK + zod by hand, 2025-11-25', era: '2025-11-25', script: OWN_SCRIPT, kind: 'sdk' },
  { name: 'toolkit, 2025-11-25', era: '2025-11-25', script: OWN_SCRIPT, kind: 'ours' },
  { name: 'fastmcp, 2025-11-25', era: '2025-11-25', script: OWN_SCRIPT, kind: 'fastmcp' },
];
const NEST_PEER: Peer = {
  name: '@rekog/mcp-nest',
  era: '2026-07-28',
  script: join(NEST, 'server.mjs'),
  kind: 'nest',
};

/** Whether NestJS was installed. */
export function isNestThere(): boolean {
  return existsSync(join(NEST, 'node_modules'));
}

async function told(child: ChildProcess): Promise<Readonly<Record<string, unknown>>> {
  const heard = new AbortController();
  const { signal } = heard;
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`a measured server ended with ${String(code)}`);
  });
  ended.catch(() => {});
  try {
    const [message]: unknown[] = await Promise.race([once(child, 'message', { signal }), ended]);
    return Object(message);
  } finally {
    heard.abort();
  }
}

async function start({ name, era, script, kind }: Peer, shape: Shape): Promise<Server> {
  const child = fork(script, [kind, shape.name], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const { port } = await told(child);
  const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT });
  return { name, era, child, port: Number(port), agent };
}

async function stop({ child, agent }: Server): Promise<void> {
  agent.destroy();
  const ended = once(child, 'exit');
  child.disconnect();
  await ended;
}

function post({ port, agent, era }: Server, payload: unknown): Promise<string> {
  const { headers, body } = toSent(era, nameOf(0), payload);
  return new Promise((resolve, reject) => {
    const sent = request(
      { port, agent, host: '127.0.0.1', path: '/mcp', method: 'POST', headers },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          try {
            const text = Buffer.concat(chunks).toString();
            requireSuccess(response.statusCode ?? 0, text);
            resolve(text);
          } catch (error) {
            reject(error);
          }
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

async function requireAlike(servers: readonly Server[], pool: readonly unknown[]): Promise<void> {
  for (const payload of pool) {
    const results = await Promise.all(servers.map(async (server) => resultOf(await post(server, payload))));
    for (const result of results) deepStrictEqual(result, results[0]);
  }
}

async function cpuOf({ child }: Server): Promise<number> {
  const answer = told(child);
  child.send({});
  const { cpu } = await answer;
  const { user = 0, system = 0 }: Partial<NodeJS.CpuUsage> = Object(cpu);
  return user + system;
}

/** CPU microseconds a request, of one round. */
async function round(server: Server, pool: readonly unknown[]): Promise<number> {
  const before = await cpuOf(server);
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let call = next++; call < REQUESTS; call = next++) await post(server, pool[call % pool.length]);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  return ((await cpuOf(server)) - before) / REQUESTS;
}

/** Ours over HTTP against a server by hand, and what other servers take beside. */
export async function overHttp(shape: Shape): Promise<readonly Line[]> {
  const servers = await Promise.all(
    [...PEERS, ...LEGACY, ...(isNestThere() ? [NEST_PEER] : [])].map((peer) => start(peer, shape)),
  );
  // What the others answer has no structured part; that they succeed is looked at all the same.
  await requireAlike(
    servers.filter(({ name }) => name.startsWith('toolkit') || name.startsWith('SDK')),
    shape.good,
  );
  const rounds = new Map<string, number[]>(servers.map(({ name }) => [name, []]));
  for (let at = -WARM_UP_ROUNDS; at < ROUNDS; at += 1) {
    for (const server of shuffled(servers)) {
      const took = await round(server, shape.good);
      if (at >= 0) rounds.get(server.name)?.push(took);
    }
  }
  await Promise.all(servers.map(stop));
  const of = (name: string): readonly number[] => rounds.get(name) ?? [];
  const base = of('SDK + zod by hand');
  return servers
    .filter(({ name }) => name !== 'SDK + zod by hand')
    .map(({ name }) => ({
      what: `${shape.name} over HTTP: ${name} / SDK + zod by hand`,
      ratio: ratio(of(name), base),
      spread: spread(of(name), base),
      ...(name === 'toolkit' ? { target: MOST_AGAINST_SDK } : {}),
    }));
}
