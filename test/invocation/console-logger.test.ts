/**
 * The logger that applies unless an application gives its own.
 * Invariant: it writes warnings and errors, one JSON object a line, and never throws at whoever logs.
 */
import { consoleLogger } from '../../src/invocation/console-logger';

let written: jest.SpyInstance;

beforeEach(() => {
  written = jest.spyOn(console, 'error').mockImplementation(() => {});
});

afterEach(() => {
  written.mockRestore();
});

function lines(): readonly unknown[] {
  return written.mock.calls.map((args: readonly unknown[]) => {
    expect(args).toHaveLength(1);
    const [line] = args;
    expect(line).not.toContain('\n');
    return JSON.parse(String(line));
  });
}

it.each(['warn', 'error'] as const)(
  'writes %s with its level, a time, the message and the fields',
  (level) => {
    consoleLogger[level]({ tool: 'test.run@1.0.0', left: 3 }, 'line one\nline two');
    expect(lines()).toEqual([
      {
        level,
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        msg: 'line one\nline two',
        tool: 'test.run@1.0.0',
        left: 3,
      },
    ]);
  },
);

it('writes a line without a message too', () => {
  consoleLogger.warn({ left: 3 });
  expect(lines()).toMatchObject([{ level: 'warn', left: 3 }]);
});

it.each(['debug', 'info'] as const)('writes nothing at %s', (level) => {
  consoleLogger[level]({ left: 3 }, 'said');
  expect(written).not.toHaveBeenCalled();
});

const circular: { self?: unknown } = {};
circular.self = circular;

it.each([
  ['circular fields', { circular }],
  ['a BigInt', { id: 1n }],
  [
    'a toJSON that throws',
    {
      toJSON(): never {
        throw new Error('no');
      },
    },
  ],
  [
    'a getter that throws',
    {
      get id(): never {
        throw new Error('no');
      },
    },
  ],
])('writes a line and does not throw at %s', (_case, fields) => {
  expect(() => consoleLogger.error(fields, 'said')).not.toThrow();
  expect(lines()).toMatchObject([{ level: 'error', msg: 'said' }]);
});
