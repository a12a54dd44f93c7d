/**
 * Reads what a person says of an action whose outcome was unknown.
 * Invariant: whatever is not one of the two words is refused, since a wrong one pays twice, or never.
 */
import type { Settlement } from '../../contract/ledger';
import type { ToolResult } from '../../contract/result';
import type { JsonValue } from '../../errors/body';
import { memberOf } from '../../metadata/members';
import { toJson } from '../../validation/to-json';
import { list } from '../violations';

const OUTCOMES: readonly unknown[] = ['executed', 'not_executed'];

/** The members of a settlement that executed something. */
const MEMBERS: readonly string[] = ['outcome', 'result'];

function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : typeof value;
}

function toResult(given: unknown): JsonValue {
  const json = toJson(given);
  if (json.ok) return json.value;
  throw new TypeError(`settle: the result is not JSON: ${list(json.violations)}.`);
}

/**
 * Gives the result that later calls get; undefined: the action was not carried out.
 *
 * @throws TypeError when it is no settlement, or its result is not JSON.
 */
export function readSettlement(settlement: Settlement): ToolResult<JsonValue> | undefined {
  // JavaScript, and JSON that was sent, may say anything.
  const given: unknown = settlement;
  const outcome = typeof given === 'object' && given !== null ? memberOf(given, 'outcome') : undefined;
  if (!OUTCOMES.includes(outcome)) {
    throw new TypeError(`settle: outcome is ${shown(outcome)}; give "executed" or "not_executed".`);
  }
  const known = outcome === 'executed' ? MEMBERS : MEMBERS.slice(0, 1);
  const unknown = Object.keys(settlement).find((member) => !known.includes(member));
  if (unknown !== undefined) {
    throw new TypeError(`settle: "${String(outcome)}" takes no "${unknown}"; it takes ${known.join(', ')}.`);
  }
  if (settlement.outcome === 'not_executed') return undefined;
  return { success: true, result: toResult(settlement.result) };
}
