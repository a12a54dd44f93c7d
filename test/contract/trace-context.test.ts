/**
 * The trace context of a request, as W3C writes its baggage (TEL-02).
 * Invariant: what is taken on is well-formed; malformed baggage is left out, and the trace stays.
 */
import { readTraceContext } from '../../src/contract/trace-context';

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const MAX_BAGGAGE = 8_192;

const blanks = (length: number) => ' '.repeat(length);

it.each([
  'a=1',
  'a=',
  'a= ',
  'a=;p',
  ' a = 1 ; p = 2 , b=2;p;q=3',
  '\ta\t=\t1\t',
  `a=${blanks(MAX_BAGGAGE - 2)}`,
  `a=${blanks(MAX_BAGGAGE - 4)}1;`,
  `a=${'1'.repeat(MAX_BAGGAGE - 2)}`,
])('takes the baggage %j on', (baggage) => {
  expect(readTraceContext({ traceparent, baggage })?.baggage).toBe(baggage);
});

it.each([
  '',
  'a',
  '=1',
  'a b=1',
  'a=1 2',
  'a=\u0001',
  `a=${blanks(MAX_BAGGAGE - 3)}\u0001`,
  `a=1${blanks(MAX_BAGGAGE - 4)}\u0001`,
  `a=${blanks(MAX_BAGGAGE - 1)}`,
  blanks(MAX_BAGGAGE),
  Array.from({ length: 65 }, (_, at) => `a${at}=1`).join(','),
])('leaves the baggage %j out, and keeps the trace', (baggage) => {
  const read = readTraceContext({ traceparent, baggage });
  expect(read?.traceparent).toBe(traceparent);
  expect(read?.baggage).toBeUndefined();
});
