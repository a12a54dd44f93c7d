/**
 * Values that tell a rule from a custom one which borrows its name.
 * Invariant: nothing here depends on a rule; what is near one rule stands in its row.
 */

/** Values of every type, among them some that one rule or another takes. */
export const PROBES: readonly unknown[] = [
  undefined,
  null,
  true,
  false,
  0,
  -1,
  1,
  1.5,
  7,
  100,
  '',
  'a',
  'abc',
  'ORD-1234',
  'a--b',
  '12',
  'ok',
  'a@b.co',
  'a b\n',
  'é💩',
  'a'.repeat(300),
  [],
  ['a'],
  ['a', 'a'],
  [1, 2, 3],
  {},
  { a: 1 },
  new Date(0),
  new Date(Number.NaN),
];

const MAX_LENGTH = 1000;

/** What lies at, below and above a value that a rule was given. */
function around(constraint: unknown): readonly unknown[] {
  if (typeof constraint === 'string') return [constraint, `${constraint}a`, `a${constraint}`];
  if (typeof constraint !== 'number') return [constraint];
  const lengths = [constraint - 1, constraint, constraint + 1].filter(
    (length) => Number.isInteger(length) && length >= 0 && length <= MAX_LENGTH,
  );
  return [
    constraint,
    constraint - 1,
    constraint + 1,
    constraint * 2,
    ...lengths.flatMap((length) => ['a'.repeat(length), Array.from({ length }, (_, index) => index)]),
  ];
}

/** Values around the arguments of a rule. */
export function probesFrom(constraints: readonly unknown[]): readonly unknown[] {
  return constraints.flatMap((constraint) =>
    typeof constraint === 'object' && constraint !== null
      ? [constraint, ...Object.values(constraint).slice(0, MAX_LENGTH).flatMap(around)]
      : around(constraint),
  );
}
