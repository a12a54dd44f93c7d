/**
 * `toolcrib doctor`: whether an installation works, line by line.
 * Invariant: one thing that fails does not keep the others from being looked at; nothing is changed, and no tool
 * is called.
 */
import { createRequire } from 'node:module';
import { readPackageFile } from '../../contract/package-file';
import { type DeclarationError, isDeclarationError } from '../../errors/declaration-error';
import { loadedCopies } from '../../schema/library-copies';
import { CliError } from '../cli-error';
import { type OpenToolkit, type Source, withToolkit } from '../configuration';
import { contained, inWords } from '../doctor/answering';
import { checkAuditTrail } from '../doctor/audit';
import { checkClock, PROCESS_CLOCKS } from '../doctor/clock';
import { checkCopies, checkNode, checkPeers, checkReflectMetadata } from '../doctor/environment';
import { fail, type Symptom } from '../doctor/symptom';
import type { Io } from '../io';
import { toJsonText, toTable, visible } from '../text';

/** What is looked at beside what always is, and how it is told. */
export interface DoctorOptions {
  /** The file of the audit trail, or the URL of a Postgres database. */
  readonly audit?: string | undefined;
  readonly json: boolean;
}

function examine(toolkit: OpenToolkit): Promise<readonly Symptom[]> {
  // What it loads may be missing, which is one of the things to be told.
  const { checkToolkit }: typeof import('../doctor/toolkit') = require('../doctor/toolkit');
  return checkToolkit(toolkit);
}

/** What is wrong with declarations that no toolkit can be made of. */
function failedDeclarations({ problems }: DeclarationError): readonly Symptom[] {
  return problems.map(({ place, message, mend, code }) => {
    const at = Object.values(place).join(' ');
    return fail('declarations', `${at}: ${message} [${code}]`, mend);
  });
}

async function examineTools(source: Source, io: Io): Promise<readonly Symptom[]> {
  try {
    return await withToolkit(source, io, examine);
  } catch (error) {
    if (isDeclarationError(error)) return failedDeclarations(error);
    const message = error instanceof CliError ? error.message : inWords(error);
    const mend = 'Without it the tools, the stores and the clock of the ledger are not looked at.';
    return [fail('configuration', message, mend)];
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
    ...(await contained('copies', () => checkCopies(io.cwd, __dirname, loadedCopies()))),
    checkReflectMetadata(Object.keys(createRequire(__filename).cache)),
    ...ofTools,
    ...(audit === undefined
      ? []
      : await contained('audit', () => checkAuditTrail(audit, io.cwd, PROCESS_CLOCKS))),
    checkClock(PROCESS_CLOCKS),
  ];
  io.stdout(json ? toJsonText(symptoms) : toText(symptoms));
  const count = (status: string) => symptoms.filter((one) => one.status === status).length;
  if (!json) io.stderr(`${count('fail')} of ${symptoms.length} fail, ${count('warn')} warn\n`);
  return count('fail') > 0 ? 1 : 0;
}
