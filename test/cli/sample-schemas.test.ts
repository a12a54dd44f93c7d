/**
 * The committed schemas of the sample.
 * Invariant: they are what the sample exports, whichever compiler made its classes: these are made by swc.
 */
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { openSampleApp } from '../fixtures/sample-app';
import { makeWorkspace } from './workspace';

const SCHEMAS = resolve(__dirname, '../../samples/schemas');

it('CLI-04: are current', async () => {
  const opened = makeWorkspace(() => openSampleApp());
  const { exitCode, json } = await opened.run(['schema', '--out', SCHEMAS, '--check', '--json']);
  opened.remove();
  expect(json()).toEqual({ stale: [], missing: [], unexpected: [] });
  expect(exitCode).toBe(0);
  expect(readdirSync(SCHEMAS).length).toBeGreaterThan(5);
});
