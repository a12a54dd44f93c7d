/**
 * What a tool as a whole should say, and what no two tools may share.
 * Invariant: what the registry refuses at start-up is not looked for here.
 */
import type { ToolSpec } from '../../contract/tool';
import type { Fault, FindingCode } from './finding';

interface ToolRule {
  readonly code: FindingCode;
  readonly reason: string;
  readonly mend: string;
  isBroken(spec: ToolSpec): boolean;
}

const MIN_DESCRIPTION_LENGTH = 10;

const TOOL_RULES: readonly ToolRule[] = [
  {
    code: 'missing_domain',
    reason: 'the name has no domain',
    mend: 'Write it as domain.action, such as "orders.lookup".',
    isBroken: ({ name }) => name.split('.').filter((part) => part !== '').length < 2,
  },
  {
    code: 'missing_owner',
    reason: 'nobody answers for the tool',
    mend: "Add @Tool({ owner: 'TheTeam' }), or @Owner to the service class.",
    isBroken: ({ owner }) => owner === undefined,
  },
  {
    code: 'missing_scopes',
    reason: 'nobody decided who may call, so nobody may',
    mend: "Add @Scopes('domain:read'), or @Scopes() where anyone may call.",
    isBroken: ({ scopes }) => scopes === undefined,
  },
  {
    code: 'missing_side_effect',
    reason: 'the side effect is not declared, so the tool counts as destructive',
    mend: "Add @SideEffect('none'), 'write' or 'destructive'.",
    isBroken: ({ sideEffect }) => !sideEffect.declared,
  },
  {
    code: 'short_description',
    reason: `the description has fewer than ${MIN_DESCRIPTION_LENGTH} characters`,
    mend: 'Say what the tool does and when to use it.',
    isBroken: ({ description }) => description.trim().length < MIN_DESCRIPTION_LENGTH,
  },
  {
    code: 'unbounded_output',
    reason: 'the output is a text or a list of any size',
    mend: 'Answer a DTO whose text or list is bounded, or bound the whole with @Tool({ maxResultBytes }).',
    isBroken: ({ output: { schema }, maxResultBytes }) =>
      maxResultBytes === undefined &&
      ((schema?.type === 'string' && schema.maxLength === undefined) ||
        (schema?.type === 'array' && schema.maxItems === undefined)),
  },
];

/** What models read as the same: letters and digits alone, whatever their case. */
function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/** The names of the tools of which something reads the same, by that. */
type Twins = ReadonlyMap<string, ReadonlySet<string>>;

function findTwins(specs: readonly ToolSpec[], read: (spec: ToolSpec) => string): Twins {
  const twins = new Map<string, Set<string>>();
  for (const spec of specs) {
    const text = lettersOf(read(spec));
    twins.set(text, (twins.get(text) ?? new Set<string>()).add(spec.name));
  }
  return twins;
}

function twinsOf({ name }: ToolSpec, text: string, twins: Twins): readonly string[] {
  return [...(twins.get(lettersOf(text)) ?? [])].filter((one) => one !== name).sort();
}

/** Makes the function that finds what is wrong with each tool as a whole, among all that are offered together. */
export function toolFaults(specs: readonly ToolSpec[]): (spec: ToolSpec) => readonly Fault[] {
  const byName = findTwins(specs, ({ name }) => name);
  const byDescription = findTwins(specs, ({ description }) => description);
  return (spec) => {
    const own = TOOL_RULES.filter((rule) => rule.isBroken(spec)).map(
      ({ code, reason, mend }): Fault => ({ code, reason, mend }),
    );
    const named = twinsOf(spec, spec.name, byName);
    const described = twinsOf(spec, spec.description, byDescription);
    const similar: Fault = {
      code: 'similar_name',
      reason: `only separators tell the name from ${named.join(', ')}`,
      mend: 'Rename one of them, so that a model does not take one for the other.',
    };
    const same: Fault = {
      code: 'same_description',
      reason: `the description is also that of ${described.join(', ')}`,
      mend: 'Say in each when to use it rather than the other.',
    };
    return [...own, ...(named.length > 0 ? [similar] : []), ...(described.length > 0 ? [same] : [])];
  };
}
