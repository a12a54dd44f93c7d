/**
 * The waivers on tools and DTOs, and what became of them.
 * Invariant: a waiver silences only codes that it gives a reason for, and one that silences nothing is found.
 */
import { type Class, isClass } from '../../contract/class';
import type { ToolSpec } from '../../contract/tool';
import type { FactTarget } from '../../metadata/own-facts';
import { waiverFact } from '../../metadata/tool-facts';
import { readPropertyFacts } from '../../schema/class-facts';
import { FINDING_CODES, type Finding, type FindingPlace } from './finding';

const WAIVABLE: ReadonlySet<string> = new Set(
  FINDING_CODES.filter((code) => code !== 'bad_waiver' && code !== 'unused_waiver'),
);

/** One `@Waive`. */
export interface Waiver {
  readonly place: FindingPlace;
  readonly reasons: ReadonlyMap<string, unknown>;
  readonly isRepeated: boolean;
  /** The codes that it has silenced. */
  readonly used: Set<string>;
}

function isReason(reason: unknown): boolean {
  return typeof reason === 'string' && reason.trim() !== '';
}

/** A class and its ancestors, nearest first. */
function lineage(cls: Class): readonly Class[] {
  const parent: unknown = Object.getPrototypeOf(cls);
  return isClass(parent) ? [cls, ...lineage(parent)] : [cls];
}

function judge({ place, reasons, isRepeated, used }: Waiver): readonly Finding[] {
  const bad = (reason: string, mend: string): Finding => ({ code: 'bad_waiver', place, reason, mend });
  const ofCodes = [...reasons].flatMap(([code, reason]): readonly Finding[] => {
    if (!WAIVABLE.has(code)) {
      return [
        bad(`@Waive names ${code}, which is not found under`, `Name one of ${[...WAIVABLE].join(', ')}.`),
      ];
    }
    if (!isReason(reason))
      return [bad(`@Waive gives no reason for ${code}`, 'Say why it is right as it is.')];
    if (used.has(code)) return [];
    const mend = 'Take the code out of @Waive.';
    return [{ code: 'unused_waiver', place, reason: `@Waive silences no ${code} here`, mend }];
  });
  return [
    ...(isRepeated
      ? [bad('@Waive is applied twice, and one of them is lost', 'Write both codes in one.')]
      : []),
    ...(reasons.size === 0 ? [bad('@Waive names no code', 'Name one with its reason, or remove it.')] : []),
    ...ofCodes,
  ];
}

/** Reads waivers, applies them, and keeps account of it. */
export class Waivers {
  private readonly known = new Map<object, Waiver>();

  /** The waivers on a tool's method and class. */
  ofTool({ key, declaredBy: cls, source }: ToolSpec): readonly Waiver[] {
    if (cls === undefined) return [];
    const { class: name, member } = source;
    return [
      ...this.read({ holder: cls.prototype, member }, { tool: key, class: name, member }),
      ...this.read({ holder: cls }, { tool: key, class: name }),
    ];
  }

  /** The waivers on a DTO, and on its property where one is named, nearest first; ancestors' are inherited. */
  ofDto({ key: tool }: ToolSpec, cls: Class | undefined, member?: string): readonly Waiver[] {
    return (cls === undefined ? [] : lineage(cls)).flatMap((at) => {
      const onClass = () => this.read({ holder: at }, { tool, class: at.name });
      if (member === undefined) return at === cls ? onClass() : [];
      const onMember = this.read({ holder: at.prototype, member }, { tool, class: at.name, member });
      // An ancestor's waiver is for the fields that it has, not for those that a subclass adds.
      const isField = at === cls || readPropertyFacts(at).some(({ name }) => name === member);
      return isField ? [...onMember, ...onClass()] : onMember;
    });
  }

  /** Tells whether a code is silenced by one of some waivers, of which the first that names it is used. */
  silence(code: string, waivers: readonly Waiver[]): boolean {
    const waiver = waivers.find(({ reasons }) => isReason(reasons.get(code)));
    waiver?.used.add(code);
    return waiver !== undefined;
  }

  /** What is wrong with the waivers that were read, once all findings are known. */
  findings(): readonly Finding[] {
    return [...this.known.values()].flatMap(judge);
  }

  private read(target: FactTarget, place: FindingPlace): readonly Waiver[] {
    const fact = waiverFact.read(target);
    if (fact === undefined) return [];
    const known = this.known.get(fact);
    if (known !== undefined) return [known];
    const isRepeated = waiverFact.isRepeated(target);
    const made = { place, reasons: new Map(Object.entries(fact)), isRepeated, used: new Set<string>() };
    this.known.set(fact, made);
    return [made];
  }
}
