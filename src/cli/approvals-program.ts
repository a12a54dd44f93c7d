/**
 * The commands of `toolcrib approvals`, with their options.
 * Invariant: what they do is in commands/approvals.ts; here is only how they are written.
 */
import { type Command, Option } from 'commander';
import {
  APPROVAL_STATES,
  type ApprovalListOptions,
  approve,
  type DecisionOptions,
  edit,
  listApprovals,
  reject,
  showApproval,
} from './commands/approvals';
import type { OpenToolkit } from './configuration';
import type { Io } from './io';
import { byOption, limitOption } from './options';

const ID = 'the id of the request, or at least 8 characters of its beginning';

type Flags<T> = Omit<T, 'id' | 'json'>;

/** Adds the commands of those who approve calls. */
export function addApprovals(
  program: Command,
  json: () => boolean,
  io: Io,
  withTools: (use: (toolkit: OpenToolkit) => Promise<number>) => Promise<void>,
): void {
  const approvals = program.command('approvals').description('list and decide calls that need approval');
  approvals
    .command('list')
    .description('list the requests, the oldest first')
    .addOption(new Option('--state <state>', 'where they stand').choices(APPROVAL_STATES).default('pending'))
    .addOption(limitOption())
    .action((flags: Flags<ApprovalListOptions>) =>
      withTools((toolkit) => listApprovals(toolkit, { ...flags, json: json() }, io)),
    );
  approvals
    .command('show')
    .description('show what a call would do')
    .argument('<id>', ID)
    .action((id: string) => withTools((toolkit) => showApproval(toolkit, { id, json: json() }, io)));
  approvals
    .command('approve')
    .description('let the same call run once')
    .argument('<id>', ID)
    .addOption(byOption())
    .action((id: string, flags: Flags<DecisionOptions>) =>
      withTools((toolkit) => approve(toolkit, { ...flags, id, json: json() }, io)),
    );
  approvals
    .command('edit')
    .description('let the call run once with other arguments')
    .argument('<id>', ID)
    .addOption(byOption())
    .requiredOption('--args <json>', 'all arguments; what stays [redacted] keeps its value')
    .action((id: string, flags: Flags<DecisionOptions> & { readonly args: string }) =>
      withTools((toolkit) => edit(toolkit, { ...flags, id, json: json() }, io)),
    );
  approvals
    .command('reject')
    .description('refuse this call; the same call made anew later asks again')
    .argument('<id>', ID)
    .addOption(byOption())
    .option('--reason <text>', 'why; the model reads it')
    .action((id: string, flags: Flags<DecisionOptions> & { readonly reason?: string }) =>
      withTools((toolkit) => reject(toolkit, { ...flags, id, json: json() }, io)),
    );
}
