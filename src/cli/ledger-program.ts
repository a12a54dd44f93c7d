/**
 * The commands of `toolcrib ledger`, with their options.
 * Invariant: what they do is in commands/ledger.ts; here is only how they are written.
 */
import { type Command, Option } from 'commander';
import type { LedgerState } from '../contract/ledger';
import {
  type LedgerListOptions,
  listLedger,
  migrateLedger,
  type SettleOptions,
  settleLedger,
  showLedger,
} from './commands/ledger';
import type { OpenToolkit } from './configuration';
import type { Io } from './io';
import { limitOption } from './options';

const STATES: readonly LedgerState[] = ['running', 'paused', 'finished', 'unknown'];

const KEY = 'the key of the entry, or at least 8 characters of its beginning';

/** Adds the commands of those who look after the ledger. */
export function addLedger(
  program: Command,
  json: () => boolean,
  io: Io,
  withTools: (use: (toolkit: OpenToolkit) => Promise<number>) => Promise<void>,
): void {
  const ledger = program
    .command('ledger')
    .description('list and settle what calls with side effects came to');
  ledger
    .command('list')
    .description('list the entries, the oldest first')
    .addOption(new Option('--state <state>', 'where they stand; left out: all').choices(STATES))
    .addOption(limitOption())
    .action((flags: Omit<LedgerListOptions, 'json'>) =>
      withTools((toolkit) => listLedger(toolkit, { ...flags, json: json() }, io)),
    );
  ledger
    .command('show')
    .description('show one entry')
    .argument('<key>', KEY)
    .action((key: string) => withTools((toolkit) => showLedger(toolkit, { key, json: json() }, io)));
  ledger
    .command('settle')
    .description('say what became of an action whose outcome is unknown')
    .argument('<key>', KEY)
    .addOption(new Option('--executed', 'it was carried out').conflicts('notExecuted'))
    .option('--not-executed', 'it was not; the next call carries it out')
    .option('--result <json>', 'what it gave, which later calls get; left out: null')
    .option('--by <name>', 'who says so, for the audit trail')
    .action((key: string, flags: Omit<SettleOptions, 'key' | 'json'>) =>
      withTools((toolkit) => settleLedger(toolkit, { ...flags, key, json: json() }, io)),
    );
  ledger
    .command('migrate')
    .description('bring the tables of the ledger to the newest version')
    .action(() => withTools((toolkit) => migrateLedger(toolkit, { json: json() }, io)));
}
