/**
 * Personal data that is told by its form: e-mail addresses and numbers of payment cards.
 * Invariant: what merely looks alike stays: `name@1.0.0`, `logo@2x.png`, `git@host`, and numbers that no card
 * network gives out.
 */
import { type Detector, MASK } from './detector';

/** Letters of scripts without case, which no Latin word follows, and of the others that give domains their names. */
const DOMAIN =
  /(?:@|%40)(?:[\p{L}\p{M}\p{N}-]{1,63}\.){1,8}(?:[A-Za-z]{2,24}|xn--[a-z0-9-]{2,30}|[\p{Lo}\p{M}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]{2,24})/gu;
const LOCAL_CHARACTER = /[\p{L}\p{M}\p{N}._%+'-]/u;
const MAX_LOCAL = 64;
/** A version (SemVer 2.0.0) or a density instead of a domain, a file's extension, and a user that is no person. */
const NO_ADDRESS =
  /^git@|@v?\d+\.\d+\.|@\d+\.x|@(?:next|latest|beta|alpha|canary|rc)\.|\.(?:png|jpe?g|gif|svg|webp|avif|js|mjs|cjs|jsx|ts|tsx|json|css|html?|yaml|yml|lock|txt|csv|pdf)$/i;

function maskAddresses(text: string): string {
  let scrubbed = '';
  let at = 0;
  for (const { index, 0: domain } of text.matchAll(DOMAIN)) {
    let start = index;
    while (start > at && index - start < MAX_LOCAL && LOCAL_CHARACTER.test(text.charAt(start - 1)))
      start -= 1;
    const end = index + domain.length;
    if (start === index || NO_ADDRESS.test(text.slice(start, end))) continue;
    scrubbed += `${text.slice(at, start)}${MASK}`;
    at = end;
  }
  return scrubbed + text.slice(at);
}

/** Masks e-mail addresses. */
export const emails: Detector = { patterns: [DOMAIN, LOCAL_CHARACTER], scrub: maskAddresses };

const CARD =
  /(?<![\p{L}\p{N}_.,/-])[2-6]\d{3}(?:[ \u00A0\u2009\u202F\u2010\u2011-]?\d){8,15}(?![\p{L}\p{N}_]|[.,/-]\d)/gu;
/** How numbers are grouped in print: not at all, in fours, or as American Express and Diners do. */
const GROUPED = /^(?:\d+|\d{4}(\D)\d{4}\1\d{4}\1\d{1,4}(?:\1\d{1,3})?|\d{4}(\D)\d{6}\2\d{4,5})$/;
/** The ranges that networks give out (ISO/IEC 7812), with the lengths in use. */
const NETWORKS =
  /^(?:4\d{15}(?:\d{3})?|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d|9\d)\d{11}|6(?:011|5\d\d|4[4-9]\d)\d{12}|35(?:2[89]|[3-8]\d)\d{12}|62\d{14,17}|(?:50[1-8]\d|5[6-9]\d\d|6[37]\d\d)\d{12})$/;

/** The check digit of ISO/IEC 7812-1, annex B, by Luhn. */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits[digits.length - 1 - place]);
    const twice = digit * 2;
    sum += place % 2 === 0 ? digit : twice > 9 ? twice - 9 : twice;
  }
  return sum % 10 === 0;
}

function isCard(found: string): boolean {
  const digits = found.replace(/\D/g, '');
  return GROUPED.test(found) && NETWORKS.test(digits) && passesLuhn(digits);
}

/** Masks numbers of payment cards. */
export const cards: Detector = {
  patterns: [CARD],
  scrub: (text) => text.replace(CARD, (found) => (isCard(found) ? MASK : found)),
};
