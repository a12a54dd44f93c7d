/**
 * The report of a permission review, as plain JSON.
 * Invariant: the same tools, grants and trail give the same report, whatever order they came in; it holds no time
 * but that of the trail.
 */
import type { SideEffectKind, ToolSpec } from '../../contract/tool';
import type { ApprovalRule } from '../../invocation/approval/approvals';
import { type Access, hasEffect, type ScopeWay, type ToolAccess } from './access';
import { byText, type PermissionFinding, type Severity } from './findings';
import { isApprover } from './principal-findings';
import type { CallCounts, TrailPeriod, Use } from './use';

/** Who may call a tool at all: `anyone`, `nobody` since no scopes were decided, or those who hold its scopes. */
export type ToolAccessRule = 'anyone' | 'nobody' | 'scopes';

/** Whether a person is asked before a call runs; `policy`: the application decides call by call. */
export type ToolApproval = 'yes' | 'no' | 'policy';

/** A principal that may call a tool. */
export interface PermittedCaller {
  readonly principal: string;
  /** For each scope that the tool asks for, the one that is held. */
  readonly via: readonly ScopeWay[];
  /** Whether one of them is held only by the hierarchy of scopes. */
  readonly byHierarchy: boolean;
  /** What the trail says, of all versions of the tool together; left out where it does not record such calls. */
  readonly use?: CallCounts;
}

/** One version of one tool. */
export interface ReviewedTool {
  /** `name@version`. */
  readonly tool: string;
  /** What the model is told of it. */
  readonly description: string;
  readonly owner: string | null;
  /** All are required; null: nobody decided. */
  readonly scopes: readonly string[] | null;
  readonly sideEffect: SideEffectKind;
  /** False: it was left out, and the worst is assumed. */
  readonly sideEffectDeclared: boolean;
  readonly approval: ToolApproval;
  readonly deprecated: boolean | string;
  readonly access: ToolAccessRule;
  /** Where access goes by scopes. */
  readonly callers: readonly PermittedCaller[];
}

/** One scope that is asked for, held, or declared to exist. */
export interface ReviewedScope {
  readonly scope: string;
  /** Keys of the tools that ask for it by name. */
  readonly requiredBy: readonly string[];
  /** Principals that hold it by name. */
  readonly heldBy: readonly string[];
  /** Principals that hold it by the hierarchy alone. */
  readonly coveredFor: readonly string[];
}

/** One principal. */
export interface ReviewedPrincipal {
  readonly principal: string;
  readonly roles: readonly string[];
  /** Its own and those of its roles. */
  readonly scopes: readonly string[];
  /** Keys of the tools that ask for scopes and that it may call. */
  readonly tools: readonly string[];
  /** Whether it may decide on approvals, as far as the grants say. */
  readonly approves: boolean;
  /** What the trail says of all tools; of those without side effects it records denials alone. Left out: no trail. */
  readonly use?: CallCounts;
}

/** The report. */
export interface PermissionReport {
  /** Of this form; it changes when a member is removed or means something else. */
  readonly schemaVersion: 1;
  readonly summary: {
    readonly tools: number;
    readonly scopes: number;
    readonly principals: number;
    /** Of which calls a person is asked. */
    readonly approval: ApprovalRule;
    /** Null: no trail was given, or it is empty. */
    readonly trail: TrailPeriod | null;
    readonly findings: { readonly [severity in Severity]: number };
  };
  readonly tools: readonly ReviewedTool[];
  readonly scopes: readonly ReviewedScope[];
  readonly principals: readonly ReviewedPrincipal[];
  /** The worst first. */
  readonly findings: readonly PermissionFinding[];
}

/** What a report is made of. */
export interface ReportParts {
  readonly access: Access;
  readonly asks: ApprovalRule;
  readonly taxonomy: readonly string[];
  readonly approving: readonly string[];
  readonly use: Use | undefined;
  readonly findings: readonly PermissionFinding[];
}

function approvalOf({ sideEffect }: ToolSpec, asks: ApprovalRule): ToolApproval {
  if (asks === 'policy') return 'policy';
  return asks === 'destructive' && sideEffect.kind === 'destructive' ? 'yes' : 'no';
}

function toCaller(spec: ToolSpec, { holder, ways }: ToolAccess, use: Use | undefined): PermittedCaller {
  const isTraced = use?.period !== undefined && hasEffect(spec);
  return {
    principal: holder.id,
    via: ways,
    byHierarchy: ways.some(({ required, held }) => required !== held),
    ...(isTraced ? { use: use.countsOf(holder.id, spec.name) } : {}),
  };
}

function toTool(spec: ToolSpec, { access, asks, use }: ReportParts): ReviewedTool {
  const { key, description, owner, scopes, sideEffect, deprecated } = spec;
  return {
    tool: key,
    description,
    owner: owner ?? null,
    scopes: scopes ?? null,
    sideEffect: sideEffect.kind,
    sideEffectDeclared: sideEffect.declared,
    approval: approvalOf(spec, asks),
    deprecated,
    access: scopes === undefined ? 'nobody' : scopes.length === 0 ? 'anyone' : 'scopes',
    callers: access.callersOf(spec).map((caller) => toCaller(spec, caller, use)),
  };
}

function toScope(scope: string, access: Access): ReviewedScope {
  const byName = new Set(access.holdersOf(scope));
  const covering = access.held.filter((held) => access.covers(held, scope));
  const covered = new Set(covering.flatMap((held) => access.holdersOf(held)));
  return {
    scope,
    requiredBy: access.specs.filter(({ scopes }) => scopes?.includes(scope)).map(({ key }) => key),
    heldBy: [...byName].map(({ id }) => id),
    coveredFor: access.holders
      .filter((holder) => covered.has(holder) && !byName.has(holder))
      .map(({ id }) => id),
  };
}

/** Puts a report together. */
export function toReport(parts: ReportParts): PermissionReport {
  const { access, asks, taxonomy, approving, use, findings } = parts;
  const names = [...new Set([...access.required, ...access.held, ...taxonomy, ...approving])].sort(byText);
  const count = (severity: Severity) => findings.filter((one) => one.severity === severity).length;
  return {
    schemaVersion: 1,
    summary: {
      tools: access.specs.length,
      scopes: names.length,
      principals: access.holders.length,
      approval: asks,
      trail: use?.period ?? null,
      findings: { high: count('high'), medium: count('medium'), low: count('low'), info: count('info') },
    },
    tools: access.specs.map((spec) => toTool(spec, parts)),
    scopes: names.map((scope) => toScope(scope, access)),
    principals: access.holders.map((holder) => ({
      principal: holder.id,
      roles: holder.roles,
      scopes: holder.scopes,
      tools: Array.from(access.toolsOf(holder), ({ key }) => key),
      approves: isApprover(holder, access, approving),
      ...(use?.period === undefined ? {} : { use: use.totalOf(holder.id) }),
    })),
    findings,
  };
}
