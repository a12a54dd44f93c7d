/**
 * Whether a regular expression without the flag `u` can tell a surrogate pair from its two halves.
 * Invariant: where the answer is that it cannot, reading text by code points and by code units gives the same
 * verdict. Every atom takes either all surrogates or none. A match may then stop in the middle of a pair only
 * beside an atom that takes them all, and it must be possible to move that stop out of the pair.
 */
import type { AST } from '@eslint-community/regexpp';

// What stands beside a position, seen from one side.
/** The position is never the middle of a pair. */
const SOLID = 1;
/** The open end of the pattern, and nothing else. */
const FREE = 2;
/** Atoms that take every surrogate and may all be left out. */
const LOOSE = 4;
/** As LOOSE, but one of them must take something. */
const HELD = 8;
const STATES = [SOLID, FREE, LOOSE, HELD] as const;

/** Whether an atom takes all surrogates; if not, it takes none. */
export type TakesSurrogates = (atom: AST.Element) => boolean;

class PairWalk {
  /** The states in which each assertion and each atom that takes surrogates was met. */
  readonly met = new Map<AST.Element, number>();
  /** Two neighbours must each take something, and a pair can be split between them. */
  clash = false;
  private readonly memo = new Map<AST.Node, Map<number, number>>();

  constructor(
    private readonly isForward: boolean,
    private readonly isFull: TakesSurrogates,
    private readonly other: () => PairWalk,
  ) {}

  /** The states after a node, from any of the states before it. */
  after(node: AST.Node, states: number): number {
    let result = 0;
    for (const state of STATES) if ((states & state) !== 0) result |= this.afterOne(node, state);
    return result;
  }

  private afterOne(node: AST.Node, state: number): number {
    const known = this.memo.get(node) ?? new Map<number, number>();
    this.memo.set(node, known);
    const result = known.get(state) ?? this.compute(node, state);
    known.set(state, result);
    return result;
  }

  private compute(node: AST.Node, state: number): number {
    switch (node.type) {
      case 'Pattern':
      case 'Group':
      case 'CapturingGroup':
        return this.branches(node.alternatives, state);
      case 'Alternative':
        return (this.isForward ? node.elements : node.elements.toReversed()).reduce(
          (states, element) => this.after(element, states),
          state,
        );
      case 'Quantifier':
        return this.repeated(node, state);
      case 'Assertion':
        return this.asserted(node, state);
      case 'Backreference':
        return state | SOLID;
      case 'Character':
      case 'CharacterClass':
      case 'CharacterSet':
        return this.isFull(node) ? this.taken(node, state, 1) : SOLID;
      default:
        throw new TypeError(`A pattern without the flag v has no ${node.type}.`);
    }
  }

  private branches(alternatives: readonly AST.Alternative[], state: number): number {
    return alternatives.reduce((states, alternative) => states | this.after(alternative, state), 0);
  }

  private meet(node: AST.Element, state: number): void {
    this.met.set(node, (this.met.get(node) ?? 0) | state);
  }

  private taken(atom: AST.Element, state: number, min: number): number {
    this.meet(atom, state);
    if (min === 0) return state | (state === HELD ? HELD : LOOSE);
    this.clash ||= state === HELD;
    return HELD;
  }

  private repeated({ element, min, max }: AST.Quantifier, state: number): number {
    if (max === 0) return state;
    if (this.isFull(element)) return this.taken(element, state, min);
    let states = this.after(element, state);
    for (let before = 0; max > 1 && before !== states; ) {
      before = states;
      states |= this.after(element, states);
    }
    return min === 0 ? states | state : states;
  }

  private asserted(node: AST.Assertion, state: number): number {
    // The edges, and a word boundary, are false between the halves of a pair.
    if (node.kind === 'word') {
      if (!node.negate) return SOLID;
    } else if (!('alternatives' in node)) {
      return SOLID;
    } else {
      const isOnward = (node.kind === 'lookahead') === this.isForward;
      this.branches(node.alternatives, isOnward ? SOLID : FREE);
      const towards = isOnward ? this.other() : this;
      if (!node.negate && towards.branches(node.alternatives, FREE) === SOLID) return SOLID;
    }
    this.meet(node, state);
    return state;
  }
}

function isRun({ parent }: AST.Element): boolean {
  return parent?.type === 'Quantifier' && parent.min <= 1 && parent.max === Number.POSITIVE_INFINITY;
}

/** Whether code points and code units give one verdict for a pattern, `isSticky` if it is tried at 0 alone. */
export function isBlindToPairs(pattern: AST.Pattern, isSticky: boolean, isFull: TakesSurrogates): boolean {
  const forward: PairWalk = new PairWalk(true, isFull, () => backward);
  const backward: PairWalk = new PairWalk(false, isFull, () => forward);
  forward.after(pattern, isSticky ? SOLID : FREE);
  backward.after(pattern, FREE);
  if (forward.clash || backward.clash) return false;
  for (const [node, before] of forward.met) {
    const behind = backward.met.get(node) ?? 0;
    if (node.type === 'Assertion') {
      // In the middle of a pair it would be asked where a reading by code points never asks.
      if ((before & ~SOLID) !== 0 && (behind & ~SOLID) !== 0) return false;
    } else if (!isRun(node)) {
      // One unit, or a few: as good as a run only where the rest of the text does not matter.
      const isOnce = node.parent?.type !== 'Quantifier' || node.parent.min <= 1;
      if (!isOnce || (before !== FREE && behind !== FREE)) return false;
    }
  }
  return true;
}
