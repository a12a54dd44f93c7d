/**
 * Puts the sample together: the database, the container, and a toolkit of every tool in the folder `tools`.
 * Invariant: a new tool is a new file in that folder; nothing here names one.
 */
import 'reflect-metadata';
import { type Approver, createToolkit, type Toolkit } from 'toolcrib';
import { telemetry } from 'toolcrib/telemetry';
import { container as rootContainer } from 'tsyringe';
import {
  type DatabaseOptions,
  databaseFromEnvironment,
  OrderDatabase,
  openDatabase,
} from './orders/database';
import { openStores } from './state';

/** Every scope of the sample; a tool that asks for another one, by a slip of the pen, stops the start. */
export const SCOPES = ['customers:read', 'orders:read', 'orders:refund', 'orders:write', 'shipments:read'];

/** The running sample. */
export interface App {
  readonly toolkit: Toolkit;
  /** Lets running calls end, and closes the database. */
  close(): Promise<void>;
}

/**
 * Opens the sample.
 *
 * @param approver whom calls ask that come from no graph; left out, their requests are kept and decided later.
 */
export async function openApp(
  options: DatabaseOptions = databaseFromEnvironment(),
  approver?: Approver,
): Promise<App> {
  const database = await openDatabase(options);
  const container = rootContainer.createChildContainer();
  container.registerInstance(OrderDatabase, database);
  const closing: (() => Promise<void>)[] = [() => database.destroy()];
  const close = async () => {
    for (const end of closing) await end();
  };
  try {
    const stores = await openStores(options);
    closing.unshift(() => stores.close());
    const toolkit = await createToolkit({
      // The same folder holds .js files once compiled, and .ts files under a test runner.
      discover: { patterns: ['tools/*.{js,ts}'], cwd: __dirname },
      container,
      scopes: SCOPES,
      // Costs nothing until a program registers an SDK of OpenTelemetry: instrumentation.ts.
      observers: [telemetry()],
      // The transcript is to show how a model answers a failure that passes.
      retry: false,
      ledger: stores.ledger,
      approval: { store: stores.approvals, ...(approver === undefined ? {} : { approver }) },
    });
    closing.unshift(() => toolkit.close());
    return { toolkit, close };
  } catch (error) {
    await close();
    throw error;
  }
}
