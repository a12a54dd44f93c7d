/**
 * Division of numbers as JSON writes them.
 * Invariant: the answer is that of the decimal numbers in the text: 19.99 is a multiple of 0.01.
 */

/** A number as an integer times a power of ten. */
function decimalOf(number: number): readonly [digits: bigint, power: number] {
  const [coefficient = '0', exponent = '0'] = String(Math.abs(number)).split('e');
  const [whole = '0', fraction = ''] = coefficient.split('.');
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}

/** Tells whether a number is a multiple of a positive one. */
export function isMultipleOf(number: number, divisor: number): boolean {
  if (Number.isSafeInteger(number) && Number.isSafeInteger(divisor)) return number % divisor === 0;
  const [digits, power] = decimalOf(number);
  const [divisorDigits, divisorPower] = decimalOf(divisor);
  const shift = power - divisorPower;
  return shift < 0
    ? digits % (divisorDigits * 10n ** BigInt(-shift)) === 0n
    : (digits * 10n ** BigInt(shift)) % divisorDigits === 0n;
}
