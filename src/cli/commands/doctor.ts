/**
 * `toolcrib doctor`: whether an installation works, line by line.
 * Invariant: one thing that fails does not keep the others from being looked at; nothing is changed, and no tool
 * is called.
 */
import { createRequire } from 'node:module';
import { isDeclarationError } from '../../errors/declaration-error';
import { loadedCopies } from '../../schema/library-copies';
import { CliError } from '../cli-error';
import { type OpenToolkit, type Source, withToolkit } from '../configuration';
import { checkClock, checkStoreClock, PROCESS_CLOCKS } from '../doctor/clock';
import { checkDeclarations, checkEmittedTypes, failedDeclarations } from '../doctor/declarations';
import { checkCopies, checkNode, checkPeers, checkReflectMetadata } from '../doctor/environment';
import { checkApprovals, checkAuditFile, checkLedger } from '../doctor/stores';
import { fail, ok, type Symptom } from '../doctor/symptom';
import type { Io } from '../io';
import { readPackageFile } from '../package-file';
import { toJsonText, toTable, visible } from '../text';

/** What is looked at beside what always is, and how it is told. */
export interface DoctorOptions {
  /** The file of the audit trail. */
  readonly audit?: string | undefined;
  readonly json: boolean;
}

async function examine(toolkit: OpenToolkit): Promise<readonly Symptom[]> {
  const specs = toolkit.registry.list();
  return [
    ok('configuration', 'a toolkit was opened'),
    checkDeclarations(specs),
    checkEmittedTypes(specs),
    await checkLedger(toolkit),
    await checkApprovals(toolkit),
    ...(await checkStoreClock(toolkit, PROCESS_CLOCKS)),
  ];
}

async function examineTools(source: Source, io: Io): Promise<readonly Symptom[]> {
  try {
    return await withToolkit(source, io, examine);
  } catch (error) {
    if (isDeclarationError(error)) return failedDeclarations(error);
    if (!(error instanceof CliError)) throw error;
    const mend = 'Without it the tools, the stores and the clock of the ledger are not looked at.';
    return [fail('configuration', error.message, mend)];
  }
}

function toText(symptoms: readonly Symptom[]): string {
  const rows = symptoms.map(({ check, status, message }) => [status, check, visible(message)]);
  const lines = toTable(rows).split('\n');
  return symptoms
    .map(({ mend }, at) => `${lines[at]}\n${mend === undefined ? '' : `      ${visible(mend)}\n`}`)
    .join('');
}

/** Looks at everything and says how it stands; 1 where something fails. */
export async function doctor(source: Source, { audit, json }: DoctorOptions, io: Io): Promise<number> {
  const own = readPackageFile();
  // What the tools load shows only once they are loaded.
  const ofTools = await examineTools(source, io);
  const symptoms = [
    checkNode(own, process.version),
    ...checkPeers(own, __dirname),
    ...checkCopies(io.cwd, __dirname, loadedCopies()),
    checkReflectMetadata(Object.keys(createRequire(__filename).cache)),
    ...ofTools,
    ...(audit === undefined ? [] : [checkAuditFile(audit, io.cwd)]),
    checkClock(PROCESS_CLOCKS),
  ];
  io.stdout(json ? toJsonText(symptoms) : toText(symptoms));
  const count = (status: string) => symptoms.filter((one) => one.status === status).length;
  if (!json) io.stderr(`${count('fail')} of ${symptoms.length} fail, ${count('warn')} warn\n`);
  return count('fail') > 0 ? 1 : 0;
}
