/**
 * What a reviewer should look at, for one tool.
 * Invariant: every question follows from what the tool declares, or is a finding of the check.
 */
import type { ToolSpec } from '../../contract/tool';
import type { Finding } from '../check/find';

type Question = readonly [isAsked: boolean, question: string];

function questionsOf(spec: ToolSpec): readonly Question[] {
  const { scopes, sideEffect, input, output, deprecated } = spec;
  const isChanging = sideEffect.kind !== 'none';
  const rules = [...input.validatorOnlyRules, ...output.validatorOnlyRules];
  return [
    [true, 'Name and description: do they say when to call it, and when not?'],
    [sideEffect.kind === 'destructive', 'It is destructive: who approves a call before it runs?'],
    [
      isChanging && !sideEffect.idempotent,
      'A repeated call acts again: what happens when a model calls it twice?',
    ],
    [
      isChanging && spec.idempotencyKey === undefined,
      'It has no idempotencyKey: is the id of the call enough to tell a repetition?',
    ],
    [
      sideEffect.openWorld,
      'It reaches other systems: which data leave, and can what comes back carry instructions?',
    ],
    [scopes?.length === 0, 'Anyone may call it, even without a principal: is that meant?'],
    [
      scopes !== undefined && scopes.length > 0,
      `All of ${scopes?.join(', ')} are required: is that the least that fits?`,
    ],
    [output.schema === undefined, 'The output is not declared: what may the model get to see?'],
    [output.schema !== undefined, 'Does the output hold more than the model needs?'],
    [rules.length > 0, 'Some rules are not in the schema: are their words clear enough for a model?'],
    [deprecated !== false, 'It is deprecated: does the description say what to use instead?'],
  ];
}

/** The questions for a tool, and the findings of the check on it, one text each. */
export function reviewQuestions(spec: ToolSpec, findings: readonly Finding[]): readonly string[] {
  const found = findings
    .filter(({ place }) => place.tool === spec.key)
    .map(
      ({ code, place, reason, mend }) => `${code} at ${place.schemaPath ?? place.tool}: ${reason}. ${mend}`,
    );
  const asked = questionsOf(spec).flatMap(([isAsked, question]) => (isAsked ? [question] : []));
  return [...found, ...asked];
}
