/**
 * Values that programs tend to get wrong, and small changes to values.
 * Invariant: a value is what JSON.parse can give; nothing is changed in place.
 */
import type { JsonValue } from 'toolcrib';
import type { Random } from './random';

/** Keys that every object of JavaScript seems to have. */
export const PROTOTYPE_KEYS: readonly string[] = [
  '__proto__',
  'constructor',
  'toString',
  'valueOf',
  'hasOwnProperty',
];

/** An object of entries, `__proto__` as an own key too. */
export function objectOf(entries: readonly (readonly [string, JsonValue])[]): JsonValue {
  return Object.fromEntries(entries);
}

const TEXTS: readonly string[] = [
  ...['', ' ', 'a', 'b', 'ab', 'abc', 'A', '0', '1', '-1', '1.5', '1e3', 'true', 'null', 'NaN', 'undefined'],
  ...[
    '\ud83d',
    '\udca9',
    'a\ud800b',
    '💩',
    '💩💩💩',
    '❤️',
    '❤️❤️',
    'a❤️',
    '\u{fe0f}',
    '👨‍👩‍👧',
    'e\u0301',
    '\u200d',
  ],
  ...['ß', 'ﬁ', 'ı', 'ſ', 'İ', '\u212a', 'Å', 'é', 'あ', 'Ａ', 'ｱ', '١', 'ǅ'],
  ...[
    '\n',
    'a\n',
    'a\r',
    'a\r\nb',
    'a\u2028',
    '\u2029',
    '\u0000',
    '\u007f',
    '\u0080',
    '\u00a0',
    '\ufeff',
    '\t',
  ],
  ...PROTOTYPE_KEYS,
  'a'.repeat(300),
];

const NUMBERS: readonly number[] = [
  ...[0, -0, 1, -1, 2, 3, 5, 10, 11, 0.5, 1.5, -0.5, 0.1, 1.25, 1.234, 7.5, 1e-7, 5e-324, 1e21, 1e300, -1e21],
  ...[
    2 ** 31,
    2 ** 53 - 1,
    2 ** 53,
    2 ** 53 + 2,
    -(2 ** 53) + 1,
    -(2 ** 53),
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ],
];

const CONTAINERS: readonly JsonValue[] = [
  ...[
    [],
    [null],
    [1],
    ['a'],
    [1, 1],
    ['a', 'a'],
    [[]],
    [[1], ['a']],
    [{}],
    [{}, {}],
    [0, -0],
    [1, '1'],
    [Number.POSITIVE_INFINITY],
  ],
  ...[
    {},
    { a: 1 },
    { a: null },
    { length: 0 },
    { length: 3 },
    { id: 1 },
    { a: { b: [1] } },
    objectOf([['then', 1]]),
  ],
  ...PROTOTYPE_KEYS.map((key) => objectOf([[key, 1]])),
  ...PROTOTYPE_KEYS.map((key) => [objectOf([['a', objectOf([[key, {}]])]])]),
];

/** Values of every kind, hostile ones among them. */
export const HOSTILE: readonly JsonValue[] = [null, true, false, ...TEXTS, ...NUMBERS, ...CONTAINERS];

const CHARACTERS: readonly string[] = [
  ...'aAbBzZ019 .-_:/@#+,(){}"\\%=\n\r\u2028ßıſéäあＡ💩',
  '\ufe0f',
  '\ud83d',
];

function mutateText(text: string, random: Random): string {
  const at = random.below(text.length + 1);
  const [before, after] = [text.slice(0, at), text.slice(at)];
  switch (random.below(8)) {
    case 0:
    case 1:
      return before + random.pick(CHARACTERS) + after;
    case 2:
      return before + after.slice(1);
    case 3:
      return before + random.pick(CHARACTERS) + after.slice(1);
    case 4:
      return text.toUpperCase();
    case 5:
      return text.toLowerCase();
    case 6:
      return text + text.slice(-1);
    default:
      // A digit for a digit keeps the form of a code and breaks its checksum.
      return text.replace(/\d/g, (digit) => (random.chance(0.3) ? String(random.below(10)) : digit));
  }
}

function mutateNumber(value: number, random: Random): number {
  const changes = [
    value + 1,
    value - 1,
    -value,
    value * 2,
    value / 2,
    value + 0.5,
    value * 10,
    Math.round(value),
  ];
  return random.pick([...changes, value + random.below(100), value - random.below(100) / 10]);
}

function mutateArray(list: readonly JsonValue[], random: Random): JsonValue {
  const at = random.below(list.length + 1);
  const [before, after] = [list.slice(0, at), list.slice(at)];
  const added = list.length > 0 && random.chance(0.6) ? random.pick(list) : random.pick(HOSTILE);
  switch (random.below(4)) {
    case 0:
      return [...before, added, ...after];
    case 1:
      return [...before, ...after.slice(1)];
    case 2:
      return list.toReversed();
    default:
      return [...before, ...after.slice(0, 1).map((one) => mutate(one, random)), ...after.slice(1)];
  }
}

function mutateObject(value: { readonly [key: string]: JsonValue }, random: Random): JsonValue {
  const entries = Object.entries(value);
  const at = random.below(entries.length + 1);
  if (random.chance(0.3)) return objectOf([...entries, [random.pick(TEXTS.slice(1)), random.pick(HOSTILE)]]);
  if (random.chance(0.3)) return objectOf(entries.toSpliced(at, 1));
  return objectOf(entries.map(([key, one], index) => [key, index === at ? mutate(one, random) : one]));
}

/** A value that differs a little from a given one, or not at all. */
export function mutate(value: JsonValue, random: Random): JsonValue {
  if (typeof value === 'string') return mutateText(value, random);
  if (typeof value === 'number') return mutateNumber(value, random);
  if (typeof value !== 'object' || value === null) return random.pick(HOSTILE);
  return Array.isArray(value) ? mutateArray(value, random) : mutateObject(objectEntries(value), random);
}

function objectEntries(value: object): { readonly [key: string]: JsonValue } {
  return Object.fromEntries(Object.entries(value));
}
