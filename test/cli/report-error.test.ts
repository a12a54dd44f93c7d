/**
 * What a user is told when a run fails.
 * Invariant: one line of JSON, or words without a stack; DEBUG alone shows stacks.
 */
import { DeclarationError } from 'toolcrib';
import { CliError } from '../../src/cli/cli-error';
import { reportError } from '../../src/cli/report-error';
import { notServing } from './workspace';

function report(error: unknown, argv: readonly string[] = [], env = {}) {
  let [stdout, stderr] = ['', ''];
  const io = {
    stdout: (text: string) => {
      stdout += text;
    },
    stderr: (text: string) => {
      stderr += text;
    },
    stdin: () => process.stdin,
    cwd: '/',
    env,
    serving: notServing,
  };
  return { exitCode: reportError(error, io, argv), stdout, stderr };
}

const circular: { self?: unknown; big: bigint } = { big: 1n };
circular.self = circular;
const declaration = new DeclarationError([
  { code: 'load_failed', place: { file: 'a.js' }, message: 'it throws', mend: 'Mend it.', cause: circular },
  {
    code: 'load_failed',
    place: { file: 'b.js' },
    message: 'it throws',
    mend: 'Mend it.',
    cause: new RangeError('deep'),
  },
]);

it('lists declaration problems, without what caused them', () => {
  const { exitCode, stdout, stderr } = report(declaration, ['--json']);
  expect([exitCode, stderr]).toEqual([2, '']);
  expect(JSON.parse(stdout).error.problems).toEqual([
    { code: 'load_failed', place: { file: 'a.js' }, message: 'it throws', mend: 'Mend it.' },
    { code: 'load_failed', place: { file: 'b.js' }, message: 'it throws', mend: 'Mend it.' },
  ]);
});

it('shows what caused them with DEBUG', () => {
  expect(report(declaration).stderr).not.toContain('RangeError');
  expect(report(declaration, [], { DEBUG: 'x' }).stderr).toContain('RangeError: deep\n    at ');
});

it.each([
  ['an error of many lines', new Error('a\n    at b (c:1:2)')],
  ['no error', { a: 1 }],
  ['nothing', undefined],
])('tells of %s that nobody expected on one line', (_, error) => {
  const { exitCode, stdout, stderr } = report(error);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^toolcrib: unexpected: [^\n]*\n$/);
  expect(JSON.parse(report(error, ['--json']).stdout)).toMatchObject({ error: { code: 'unexpected' } });
});

it('escapes what could steer the terminal', () => {
  expect(report(new CliError('config_failed', 'a\u001b[31mb')).stderr).toBe('toolcrib: a\\u001b[31mb\n');
});

it('writes the problems of an export with their places', () => {
  const place = { tool: 'a.b@1.0.0', schemaPath: '#/inputSchema' };
  const problem = { code: 'illegal_schema', place, message: 'wrong', mend: 'Right it.' };
  const error = new CliError('illegal_export', 'nothing was exported:', { problems: [problem] });
  expect(report(error).stderr).toContain('a.b@1.0.0 #/inputSchema: wrong [illegal_schema]\n    Right it.');
  expect(JSON.parse(report(error, ['--json']).stdout)).toEqual({
    error: { code: 'illegal_export', message: 'nothing was exported:', problems: [problem] },
  });
});
