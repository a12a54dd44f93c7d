/**
 * The commands of `toolcrib audit`, with their options.
 * Invariant: what they do is in the folder audit; here is only that there are such commands.
 */
import type { Command } from 'commander';
import { addPermissions } from './audit/permissions';
import type { OpenToolkit } from './configuration';
import type { Io } from './io';

/** Adds the commands of those who audit. */
export function addAudit(
  program: Command,
  json: () => boolean,
  io: Io,
  withTools: (use: (toolkit: OpenToolkit) => Promise<number>) => Promise<void>,
): void {
  const audit = program.command('audit').description('review permissions');
  addPermissions(audit, json, io, withTools);
}
