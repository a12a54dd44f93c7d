/**
 * The commands of `toolcrib audit`, with their options.
 * Invariant: what they do is in commands/audit.ts and in the folder audit; here is only how they are written.
 */
import type { Command } from 'commander';
import { addPermissions } from './audit/permissions';
import {
  type AuditListFlags,
  listAudit,
  printAuditHead,
  type VerifyFlags,
  verifyAuditTrail,
} from './commands/audit';
import type { OpenToolkit } from './configuration';
import type { Io } from './io';

const TRAIL = 'the file that is written, or the URL of a Postgres database';

/** Adds the commands of those who look after the audit trail. */
export function addAudit(
  program: Command,
  json: () => boolean,
  io: Io,
  ending: (work: Promise<number>) => Promise<void>,
  withTools: (use: (toolkit: OpenToolkit) => Promise<number>) => Promise<void>,
): void {
  const audit = program
    .command('audit')
    .description('review permissions, and verify the trail of what calls did');
  audit
    .command('verify')
    .description('find what was changed, removed, added, moved or cut off')
    .argument('<trail>', TRAIL)
    .option(
      '--head <sequence:hash>',
      'a head that was kept elsewhere; left out: the one beside the file, where there is one',
    )
    .action((trail: string, flags: VerifyFlags) =>
      ending(verifyAuditTrail({ ...flags, trail, json: json() }, io)),
    );
  audit
    .command('head')
    .description('print the head of a trail, to be kept elsewhere')
    .argument('<trail>', TRAIL)
    .action((trail: string) => ending(printAuditHead({ trail, json: json() }, io)));
  audit
    .command('list')
    .description('print what is recorded, the oldest first')
    .argument('<trail>', TRAIL)
    .option('--principal <id>', 'of whom: who called, decided or settled')
    .option('--tool <name>', 'of which tool: a name, or name@version')
    .option('--since <time>', 'from when on: RFC 3339, or a date')
    .option('--until <time>', 'until when, which is not in it any more')
    .action((trail: string, flags: AuditListFlags) =>
      ending(listAudit({ ...flags, trail, json: json() }, io)),
    );
  addPermissions(audit, json, io, withTools);
}
