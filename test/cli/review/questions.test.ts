/**
 * What a reviewer is asked.
 * Invariant: what a tool declares decides the questions, and a finding on another tool is none of them.
 */
import { outputContract, type ToolSpec } from 'toolcrib';
import { reviewQuestions } from '../../../src/cli/review/questions';
import { makeSpec } from '../../fixtures/hand-made-spec';

const declared = outputContract({ kind: 'scalar', type: 'string' });
const quiet = makeSpec('a.b', '1.0.0', { output: declared });

function added(overrides: Partial<ToolSpec>): readonly string[] {
  const usual = reviewQuestions(quiet, []);
  const asked = reviewQuestions(makeSpec('a.b', '1.0.0', { output: declared, ...overrides }), []);
  return asked.filter((question) => !usual.includes(question));
}

const effect = { idempotent: true, openWorld: false, declared: true };

it.each<[string, Partial<ToolSpec>, readonly RegExp[]]>([
  [
    'a destructive tool',
    { sideEffect: { ...effect, kind: 'destructive' }, idempotencyKey: () => '' },
    [/approves/],
  ],
  [
    'a write',
    { sideEffect: { ...effect, kind: 'write', idempotent: false } },
    [/acts again/, /idempotencyKey/],
  ],
  ['an idempotent write', { sideEffect: { ...effect, kind: 'write' } }, [/idempotencyKey/]],
  ['an open world', { sideEffect: { ...effect, kind: 'none', openWorld: true } }, [/other systems/]],
  ['scopes', { scopes: ['a:b', 'c:d'] }, [/a:b, c:d/]],
  ['an output that is not declared', { output: outputContract(undefined) }, [/not declared/]],
  [
    'rules outside of the schema',
    { input: { ...quiet.input, validatorOnlyRules: [{ schemaPath: '#', rule: 'r', text: 't' }] } },
    [/not in the schema/],
  ],
  ['a deprecated tool', { deprecated: true }, [/deprecated/]],
])('%s raises its questions', (_, overrides, expected) => {
  expect(added(overrides)).toEqual(expected.map((pattern) => expect.stringMatching(pattern)));
});

it('asks whether anyone may call, only where anyone may', () => {
  expect(reviewQuestions(quiet, []).join()).toMatch(/Anyone/);
  expect(reviewQuestions({ ...quiet, scopes: undefined }, []).join()).not.toMatch(/Anyone/);
});

it('puts the findings on the tool first', () => {
  const found = { code: 'missing_owner' as const, reason: 'nobody answers', mend: 'Name one.' };
  const asked = reviewQuestions(quiet, [
    { ...found, place: { tool: 'a.b@1.0.0' } },
    { ...found, place: { tool: 'a.b@1.0.1' } },
  ]);
  expect(asked[0]).toBe('missing_owner at a.b@1.0.0: nobody answers. Name one.');
  expect(asked.filter((one) => one.startsWith('missing_owner'))).toHaveLength(1);
});
