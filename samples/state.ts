/**
 * What outlives the process beside the orders: side effects, requests for approval, and conversations.
 * Invariant: all of it lies where the orders do, in files of one folder or in one Postgres.
 */
import { join } from 'node:path';
import type { BaseCheckpointSaver } from '@langchain/langgraph';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import type { ApprovalStore, Ledger } from 'toolcrib';
import { PostgresApprovals, PostgresLedger } from 'toolcrib/stores/postgres';
import { SqliteApprovals, SqliteLedger } from 'toolcrib/stores/sqlite';
import { type DatabaseOptions, openFile, openPool } from './orders/database';

/** What the toolkit keeps. */
export interface Stores {
  readonly ledger: Ledger;
  readonly approvals: ApprovalStore;
  close(): Promise<void>;
}

/** LangGraph's own memory of conversations. */
export interface Conversations {
  readonly checkpointer: BaseCheckpointSaver;
  close(): Promise<void>;
}

/** Opens the ledger and the requests for approval. */
export async function openStores({ url, folder }: DatabaseOptions): Promise<Stores> {
  const file = join(folder, 'ledger.db');
  const ledger = await (url
    ? PostgresLedger.open({ url, migrate: true })
    : SqliteLedger.open({ file, migrate: true }));
  try {
    const approvals = await (url ? PostgresApprovals.open({ url }) : SqliteApprovals.open({ file }));
    return { ledger, approvals, close: () => approvals.close().finally(() => ledger.close()) };
  } catch (error) {
    await ledger.close();
    throw error;
  }
}

/** Opens the conversations, which a run that was stopped or killed is continued from. */
export async function openConversations({ url, folder }: DatabaseOptions): Promise<Conversations> {
  if (!url) {
    const file = openFile(folder, 'conversations.db');
    return { checkpointer: new SqliteSaver(file), close: async () => void file.close() };
  }
  const pool = openPool(url);
  const checkpointer = new PostgresSaver(pool);
  try {
    await checkpointer.setup();
    return { checkpointer, close: () => pool.end() };
  } catch (error) {
    await pool.end();
    throw error;
  }
}
