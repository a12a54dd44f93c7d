/**
 * What the framework itself knows of what is commonly thrown.
 * Invariant: errors are known by their shape, so their realm and their copy do not matter; the outermost error that is
 * known decides, then what caused it.
 */
import { ofHttp } from './http';
import { ofNetwork, ofVagueNetwork } from './network';
import { ofPostgres } from './postgres';
import { partsOf, read, readText, Walk } from './read';
import { ofSqlite } from './sqlite';
import type { Verdict } from './verdict';

/** All parts have to be known: one that is not may have done anything. */
function ofParts(thrown: object, walk: Walk): Verdict | undefined {
  const parts = partsOf(thrown).map((part) => judgeAlong(part, walk));
  const verdicts = parts.flatMap((verdict) => verdict ?? []);
  const [first] = verdicts;
  if (first === undefined || verdicts.length < parts.length) return undefined;
  const verdict = verdicts.find(({ retryable }) => !retryable) ?? first;
  const waits = verdicts.flatMap(({ retryAfterMs }) => retryAfterMs ?? []);
  return {
    ...verdict,
    started: verdicts.some(({ started }) => started),
    ...(verdict.retryable && waits.length > 0 ? { retryAfterMs: Math.max(...waits) } : {}),
  };
}

/** Whether a thrown value stands for its parts, so that its own code or cause says nothing of them. */
function isAggregate(thrown: object): boolean {
  const parts = read(thrown, 'errors');
  return readText(thrown, 'name') === 'AggregateError' && !(Array.isArray(parts) && parts.length === 0);
}

function judgeAlong(thrown: unknown, walk: Walk): Verdict | undefined {
  if (typeof thrown !== 'object' || thrown === null || !walk.enters(thrown)) return undefined;
  // Node gives an AggregateError the code of its first part, which says less than the parts do.
  const byParts = ofHttp(thrown) ?? ofParts(thrown, walk);
  if (byParts !== undefined || isAggregate(thrown)) return byParts;
  const verdict = ofPostgres(thrown) ?? ofSqlite(thrown) ?? ofNetwork(thrown);
  if (verdict !== undefined) return verdict;
  return judgeAlong(read(thrown, 'cause'), walk) ?? ofVagueNetwork(thrown);
}

/** Judges something thrown; undefined where nothing is known of it. */
export function judgeKnown(thrown: unknown): Verdict | undefined {
  return judgeAlong(thrown, new Walk());
}
