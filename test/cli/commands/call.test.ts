/**
 * `toolcrib call`.
 * Invariant: what is printed is the wire envelope of the toolkit's own answer, and nobody is calling unless the
 * options say who.
 */
import { OrderDesk } from '../order-desk';
import { chunks, type RunOptions, type Workspace, workspaceOfClasses } from '../workspace';

let desk: Workspace;
beforeAll(() => {
  desk = workspaceOfClasses(OrderDesk);
});
afterAll(() => desk.remove());

const LOOKUP = ['call', 'orders.lookup', '--scopes', 'orders:read', '--json'];
const ARGS = '{"order_id":"ORD-1234"}';
const FOUND = { isError: false, result: { order_id: 'ORD-1234', parcels: [{ weight_g: 500 }] } };

describe('an answer', () => {
  it.each([
    ['a success', ARGS, 0, FOUND],
    [
      'a failure of the tool',
      '{"order_id":"ORD-9999"}',
      1,
      { error: { code: 'order_not_found', retryable: false } },
    ],
    [
      'refused arguments',
      '{"order_id":"bad-id"}',
      1,
      { error: { code: 'invalid_input', detail: { violations: [{ path: '/order_id' }] } } },
    ],
    ['an array for arguments', '[]', 1, { error: { code: 'invalid_input' } }],
    ['null for arguments', 'null', 1, { error: { code: 'invalid_input' } }],
    [
      'a key of Object.prototype',
      '{"order_id":"ORD-1234","__proto__":{"a":1}}',
      1,
      { error: { code: 'invalid_input' } },
    ],
    [
      'deep arguments',
      `{"order_id":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      1,
      { error: { code: 'invalid_input' } },
    ],
  ])('is one line of JSON for %s', async (_, args, exitCode, envelope) => {
    const ran = await desk.run([...LOOKUP, '--args', args]);
    expect([ran.exitCode, ran.stderr]).toEqual([exitCode, '']);
    expect(ran.stdout).toMatch(/^[^\n]+\n$/);
    expect(ran.json()).toMatchObject({ isError: exitCode === 1, ...envelope });
  });

  it('is readable on standard output when it is a success', async () => {
    const { exitCode, stdout } = await desk.run([
      'call',
      'orders_lookup',
      '--args',
      ARGS,
      '--scopes',
      'orders:read',
    ]);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual(FOUND.result);
  });

  it('is readable on standard error when it is none, with all that the envelope says', async () => {
    const args = '{"order_id":"ORD-1234","email":"ann@example.com"}';
    const argv = ['call', 'orders.remind', '--args', args, '--scopes', 'orders:write'];
    const { exitCode, stdout, stderr } = await desk.run(argv);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      'orders.remind@2.1.0 answered mail_down: Try again.\n  the same call may succeed later\n  wait 50 ms\n',
    );
    const refused = await desk.run(['call', 'orders.lookup', '--args', ARGS]);
    expect(refused.stderr).toContain('  detail {"missing":["orders:read"]}\n');
  });
});

describe('the caller', () => {
  it.each([
    ['nobody', []],
    ['cli ', ['--scopes', '']],
    ['cli a:b', ['--scopes', 'a:b']],
    ['cli a+b+c', ['--scopes', 'a, b,', '--scopes', 'c']],
    ['ann ', ['--as', 'ann']],
    ['ann a', ['--as', 'ann', '--scopes', 'a']],
  ])('is %s with %j', async (caller, flags) => {
    const { json } = await desk.run(['call', 'desk.caller', '--json', ...flags]);
    expect(json()).toEqual({ isError: false, result: caller });
  });

  it.each([
    ['orders.lookup', []],
    ['orders.lookup', ['--as', 'ann']],
    ['desk.wipe', ['--as', 'ann', '--scopes', 'orders:read,orders:write']],
  ])('is refused by %s with %j', async (tool, flags) => {
    const { exitCode, json } = await desk.run(['call', tool, '--args', ARGS, '--json', ...flags]);
    expect(exitCode).toBe(1);
    expect(json()).toMatchObject({ isError: true, error: { code: 'insufficient_scope' } });
  });
});

describe('arguments', () => {
  const half = Math.floor(ARGS.length / 2);
  beforeAll(() => {
    desk.write('args.json', `\ufeff${ARGS}\n`);
    desk.write('deep/args.json', ARGS);
  });

  it.each<[string, string[], RunOptions]>([
    ['a file', ['--args-file', 'args.json'], {}],
    ['a file relative to the working directory', ['--args-file', 'args.json'], { cwd: 'deep' }],
    ['standard input', ['--args', '-'], { stdin: chunks(ARGS.slice(0, half), ARGS.slice(half)) }],
    ['standard input, as a file', ['--args-file', '-'], { stdin: chunks(Buffer.from(ARGS)) }],
  ])('come from %s', async (_, flags, options) => {
    expect((await desk.run([...LOOKUP, ...flags], options)).json()).toEqual(FOUND);
  });

  it('keep a character that two chunks share', async () => {
    const bytes = Buffer.from('{"order_id":"é"}');
    const cut = bytes.indexOf(0xc3) + 1;
    const stdin = chunks(bytes.subarray(0, cut), bytes.subarray(cut));
    const ran = await desk.run([...LOOKUP, '--args', '-'], { stdin });
    expect(ran.json()).toMatchObject({ error: { code: 'invalid_input' } });
  });

  it('are none when they are left out', async () => {
    expect((await desk.run(LOOKUP)).json()).toMatchObject({
      error: { code: 'invalid_input', detail: { violations: [{ path: '/order_id', rule: 'isDefined' }] } },
    });
  });

  async function* endless() {
    for (;;) yield 'x'.repeat(1024 * 1024);
  }

  async function* failing() {
    yield '{';
    throw new Error('the pipe broke');
  }

  it.each<[string, string, string[], RunOptions]>([
    ['illegal_arguments', 'are not JSON', ['--args', '{order_id:1}'], {}],
    ['illegal_arguments', 'are empty', ['--args', ''], {}],
    ['illegal_arguments', 'hold line feeds and are not JSON', ['--args', '{\n\u001b[2J'], {}],
    ['illegal_arguments', 'are empty standard input', ['--args', '-'], {}],
    [
      'illegal_arguments',
      'are not UTF-8',
      ['--args', '-'],
      { stdin: chunks(Buffer.from([0x22, 0xff, 0x22])) },
    ],
    ['illegal_arguments', 'do not end', ['--args', '-'], { stdin: endless() }],
    ['unreadable_file', 'lie in no file', ['--args-file', 'missing.json'], {}],
    ['unreadable_file', 'lie in a folder', ['--args-file', '.'], {}],
    ['unreadable_file', 'break off', ['--args', '-'], { stdin: failing() }],
  ])('%s: they %s', async (code, _, flags, options) => {
    const { exitCode, json, stdout } = await desk.run([...LOOKUP, ...flags], options);
    expect(exitCode).toBe(2);
    expect(json()).toEqual({ error: { code, message: expect.any(String) } });
    expect(stdout).not.toContain('\u001b');
  });
});
