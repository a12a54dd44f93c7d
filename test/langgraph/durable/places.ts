/**
 * Where the state of runs is: LangGraph's checkpoints, the ledger, and a table in which every effect leaves a row.
 * Invariant: a row is only ever added, so that a second effect of a call shows.
 */
import { dirname, join } from 'node:path';
import { type BaseCheckpointSaver, MemorySaver } from '@langchain/langgraph';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import Database from 'libsql';
import { Pool } from 'pg';
import { type Ledger, MemoryLedger } from 'toolcrib';
import { PostgresLedger } from 'toolcrib/stores/postgres';
import { SqliteLedger } from 'toolcrib/stores/sqlite';
import { type EmptyDatabase, emptyFile, emptySchema } from '../../stores/databases';

/** The kind of a place. */
export type PlaceKind = 'memory' | 'SQLite' | 'Postgres';

/** A place, as another process can be told of it. */
export interface PlaceAddress {
  readonly kind: PlaceKind;
  readonly at: string;
}

/** What a call did. */
interface EffectRow {
  readonly thread: string;
  readonly call: string;
  readonly tool: string;
  readonly amount: number;
}

/** An open place. */
export interface Place {
  readonly checkpointer: BaseCheckpointSaver;
  readonly ledger: Ledger;
  add(row: EffectRow): Promise<void>;
  /** The effects of a thread, each as `c1 charge 5`, sorted. */
  effects(thread: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

const CREATE = 'create table if not exists effects (thread text, call text, tool text, amount integer)';

function told(rows: readonly unknown[]): readonly string[] {
  return rows
    .map((row) => {
      const { call, tool, amount } = Object(row);
      return `${call} ${tool} ${amount}`;
    })
    .sort();
}

function openMemory(): Place {
  const rows: EffectRow[] = [];
  return {
    checkpointer: new MemorySaver(),
    ledger: new MemoryLedger(),
    add: async (row) => void rows.push(row),
    effects: async (thread) => told(rows.filter((row) => row.thread === thread)),
    close: async () => {},
  };
}

async function openSqlite(file: string, isNew: boolean): Promise<Place> {
  const ledger = await SqliteLedger.open({ file, migrate: isNew });
  const checkpointer = SqliteSaver.fromConnString(join(dirname(file), 'graph.db'));
  // Left as it is, it does not wait for the other processes.
  checkpointer.db.pragma('busy_timeout = 5000');
  const database = new Database(file, { timeout: 5_000 });
  if (isNew) database.exec(CREATE);
  return {
    checkpointer,
    ledger,
    add: async ({ thread, call, tool, amount }) =>
      void database.prepare('insert into effects values (?, ?, ?, ?)').run([thread, call, tool, amount]),
    effects: async (thread) => told(database.prepare('select * from effects where thread = ?').all([thread])),
    close: async () => {
      await ledger.close();
      checkpointer.db.close();
      database.close();
    },
  };
}

async function openPostgres(url: string, isNew: boolean): Promise<Place> {
  const pool = new Pool({ connectionString: url, max: 6 });
  pool.on('error', () => {});
  const { rows } = await pool.query<{ readonly schema: string }>('select current_schema() as schema');
  const ledger = await PostgresLedger.open({ pool, migrate: isNew });
  const checkpointer = new PostgresSaver(pool, undefined, { schema: rows[0]?.schema ?? '' });
  if (isNew) {
    await checkpointer.setup();
    await pool.query(CREATE);
  }
  return {
    checkpointer,
    ledger,
    add: async ({ thread, call, tool, amount }) =>
      void (await pool.query('insert into effects values ($1, $2, $3, $4)', [thread, call, tool, amount])),
    effects: async (thread) =>
      told((await pool.query('select * from effects where thread = $1', [thread])).rows),
    close: async () => {
      await ledger.close();
      await pool.end();
    },
  };
}

/** Opens a place; whoever opens it first makes its tables. */
export async function openPlace({ kind, at }: PlaceAddress, isNew: boolean): Promise<Place> {
  if (kind === 'memory') return openMemory();
  return kind === 'SQLite' ? openSqlite(at, isNew) : openPostgres(at, isNew);
}

/** Makes a place of its own. */
export async function emptyPlace(kind: PlaceKind): Promise<PlaceAddress & EmptyDatabase> {
  if (kind === 'memory') return { kind, at: '', remove: async () => {} };
  return { kind, ...(await (kind === 'SQLite' ? emptyFile() : emptySchema())) };
}
