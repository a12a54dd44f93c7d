/**
 * Random text from a seed.
 * Invariant: the same seed gives the same texts, in every process.
 */
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';

/** The alphabets of documented formats. */
const ALPHABETS = {
  digits: DIGITS,
  hex: `${DIGITS}abcdef`,
  lower: LOWER,
  lowerDigits: LOWER + DIGITS,
  upperDigits: LOWER.toUpperCase() + DIGITS,
  letters: LOWER + LOWER.toUpperCase(),
  alphanumeric: LOWER + LOWER.toUpperCase() + DIGITS,
  base64url: `${LOWER}${LOWER.toUpperCase()}${DIGITS}-_`,
  base64: `${LOWER}${LOWER.toUpperCase()}${DIGITS}+/`,
  base32: `${LOWER.toUpperCase()}234567`,
  bech32: 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L',
} as const;

/** The name of an alphabet. */
export type Alphabet = keyof typeof ALPHABETS;

/** A stream of random choices (mulberry32). */
export class Random {
  constructor(private state: number) {}

  /** A number from 0 up to, and without, 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number of a range, both ends included. */
  whole(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  /** One of a list. */
  pick<T>(list: readonly T[]): T {
    const one = list[this.whole(0, list.length - 1)];
    if (one === undefined) throw new TypeError('nothing to pick from');
    return one;
  }

  /** A text of an alphabet. */
  text(alphabet: Alphabet, length: number): string {
    const letters = [...ALPHABETS[alphabet]];
    return Array.from({ length }, () => this.pick(letters)).join('');
  }

  /** A UUID (RFC 9562, version 4). */
  uuid(): string {
    const hex = (length: number) => this.text('hex', length);
    return `${hex(8)}-${hex(4)}-4${hex(3)}-${this.pick(['8', '9', 'a', 'b'])}${hex(3)}-${hex(12)}`;
  }

  /** Random bytes in Base64, with its padding. */
  base64(bytes: number): string {
    return Buffer.from(Array.from({ length: bytes }, () => this.whole(0, 255))).toString('base64');
  }
}
