/**
 * What a permission review finds, and the closed set of codes that it finds it under.
 * Invariant: every code has one severity, but for what a short trail cannot tell, and the same words wherever it is
 * shown; findings have one order.
 */

/** How much a finding matters, the most first. */
export const SEVERITIES = ['high', 'medium', 'low', 'info'] as const;

/** One of {@link SEVERITIES}. */
export type Severity = (typeof SEVERITIES)[number];

/** For each code its severity, why it matters, and what to do. */
export const PERMISSION_FINDINGS = {
  unapproved_destructive: {
    severity: 'high',
    why: 'What a destructive tool does cannot be taken back, and a model may call it by mistake or because a text that it read told it to.',
    mend: 'Leave the option approval of createToolkit out, or give it a policy, so that a person decides each call.',
  },
  open_effect: {
    severity: 'high',
    why: 'Anyone may call a tool that changes something, also a caller that nobody has authenticated.',
    mend: 'Name the scope that a caller must hold in @Scopes, or declare the side effect as it is.',
  },
  self_approved: {
    severity: 'high',
    why: 'The trail has a call that was approved by whoever made it: a second pair of eyes was missing.',
    mend: 'See to it that nobody decides on their own requests, and look at what the call did.',
  },
  anonymous_call: {
    severity: 'high',
    why: 'The trail has calls by nobody of a tool that only some may call: it was open then, or something let them past the scopes.',
    mend: 'Find out who called and why no principal was asked for, and look at what the calls did.',
  },
  undecided_scopes: {
    severity: 'medium',
    why: 'Nobody decided who may call the tool. It is closed to everybody until somebody does.',
    mend: "Add @Scopes('domain:action'), or @Scopes() where anyone may call.",
  },
  uncallable_tool: {
    severity: 'medium',
    why: 'No principal holds all that the tool asks for: a grant is missing, or the tool is not needed.',
    mend: 'Grant the missing scopes to those who need the tool, or remove the tool.',
  },
  missing_owner: {
    severity: 'medium',
    why: 'Nobody answers for the tool when its rights are to be reviewed or it does harm.',
    mend: "Add @Tool({ owner: 'TheTeam' }), or @Owner to the service class.",
  },
  undeclared_side_effect: {
    severity: 'medium',
    why: 'The author did not say what the tool does to the world, so it counts as destructive.',
    mend: "Add @SideEffect('none'), 'write' or 'destructive'.",
  },
  mixed_scope: {
    severity: 'medium',
    why: 'Whoever is meant to read with the scope can change things with it: nobody can be given the one without the other.',
    mend: 'Give the tools that change something a scope of their own.',
  },
  hierarchy_only: {
    severity: 'medium',
    why: 'No caller was granted the scopes of this destructive tool by name: they reach it through a broader scope, perhaps without anybody having meant it.',
    mend: 'Grant the scope of the tool by name to those who need it, or let the broader scope not cover it.',
  },
  version_scope_change: {
    severity: 'medium',
    why: 'Versions of one tool ask for different scopes. A caller who is refused by one may ask for the other by its version.',
    mend: 'Let all versions ask for the same scopes, or remove the version that asks for less.',
  },
  unknown_scope: {
    severity: 'medium',
    why: 'The granted scope does not exist. It gives nothing today, and it will give something on the day that somebody declares it; the one that was meant is missing.',
    mend: 'Correct the scope, or take it out of the grants.',
  },
  duplicate_principal: {
    severity: 'medium',
    why: 'Who reads one entry of the grants does not see what the other adds.',
    mend: 'Keep one entry for each principal, and one spelling.',
  },
  approver_can_call: {
    severity: 'medium',
    why: 'The principal may ask for a call and decide on it: a second pair of eyes is missing.',
    mend: 'Take one of the two rights away, or see to it that nobody decides on their own requests.',
  },
  unlisted_principal: {
    severity: 'medium',
    why: 'The trail has calls, made or denied, of a principal that the grants do not name, so this review does not see what they hold.',
    mend: 'Add the principal to the grants, or find out where their scopes come from.',
  },
  beyond_grants: {
    severity: 'medium',
    why: 'The trail has calls that the grants do not allow: they were changed since, or scopes come from elsewhere.',
    mend: 'Find out by which scope the calls were let through.',
  },
  broad_scope: {
    severity: 'low',
    why: 'By the hierarchy this one scope opens tools that read and tools that change something. Who holds it holds both.',
    mend: 'Grant the narrower scopes where they are enough.',
  },
  ungranted_scope: {
    severity: 'low',
    why: 'Nobody holds the scope, so nobody can do what it stands for.',
    mend: 'Grant it to those who need it, or remove it.',
  },
  unneeded_scope: {
    severity: 'low',
    why: 'No tool asks for the scope. It gives nothing today, and it will give something to those who hold it on the day that a tool does.',
    mend: 'Take it out of the grants; where it lets somebody decide on approvals, name it in approvalScopes.',
  },
  unused_scope: {
    severity: 'low',
    why: 'In the period of the trail no tool that asks for the scope was called. A right that is not used only adds to what an attacker gets.',
    mend: 'Take the grants away, or remove the tools.',
  },
  unused_grant: {
    severity: 'low',
    why: 'In the period of the trail the principal called no tool that this scope opens to them. A right that is not used only adds to what an attacker gets.',
    mend: 'Take the scope from the principal, or write down why they keep it.',
  },
  holds_everything: {
    severity: 'low',
    why: 'Whoever acts as this principal, a model that was misled included, can do all that any tool does.',
    mend: 'Split the work between principals, or make sure that it is an administrator.',
  },
  deprecated_granted: {
    severity: 'low',
    why: 'The tool is to go, and can still be called.',
    mend: 'Move its callers to what replaces it, and remove the tool.',
  },
  approval_by_policy: {
    severity: 'info',
    why: 'The application decides call by call whether a person is asked. What it decides cannot be read from here.',
    mend: 'Read the policy, and look at its tests.',
  },
  open_tool: {
    severity: 'info',
    why: 'Anyone may call the tool, also a caller that nobody has authenticated. It declares that it changes nothing.',
    mend: 'Make sure that what it answers is meant for everybody.',
  },
} as const satisfies {
  readonly [code: string]: { readonly severity: Severity; readonly why: string; readonly mend: string };
};

/** The code of a finding. */
export type PermissionFindingCode = keyof typeof PERMISSION_FINDINGS;

/** What a finding is about; what it is not about is left out. */
export interface PermissionPlace {
  /** `name@version`. */
  readonly tool?: string;
  readonly scope?: string;
  /** The id of the principal. */
  readonly principal?: string;
}

/** One thing that a reviewer should look at. */
export interface PermissionFinding extends PermissionPlace {
  readonly code: PermissionFindingCode;
  readonly severity: Severity;
  /** What was found here. */
  readonly message: string;
  /** Why it matters. */
  readonly why: string;
  /** What to do. */
  readonly mend: string;
}

/** Makes a finding. `changed`: where there is more, or less, to say than the code's own. */
export function finding(
  code: PermissionFindingCode,
  place: PermissionPlace,
  message: string,
  changed: Partial<Pick<PermissionFinding, 'severity' | 'mend'>> = {},
): PermissionFinding {
  const { severity, why, mend } = PERMISSION_FINDINGS[code];
  return { code, severity, ...place, message, why, mend, ...changed };
}

/** Compares texts by their code units, which is the same on every machine. */
export function byText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Orders findings: the worst first, then by code and by what they are about. */
export function inOrder(findings: readonly PermissionFinding[]): readonly PermissionFinding[] {
  const keyed = findings.map((one) => {
    const { severity, code, tool = '', scope = '', principal = '', message } = one;
    return { one, rank: SEVERITIES.indexOf(severity), keys: [code, tool, scope, principal, message] };
  });
  keyed.sort((left, right) => {
    const differing = left.keys.findIndex((key, index) => key !== right.keys[index]);
    return left.rank - right.rank || byText(left.keys[differing] ?? '', right.keys[differing] ?? '');
  });
  return keyed.map(({ one }) => one);
}
