/**
 * What a measurement prints: each ratio beside its target.
 * Invariant: a part that misses a target is measured once more, and what is printed is what counts.
 */

/** One measured ratio. */
export interface Line {
  readonly what: string;
  readonly ratio: number;
  /** The quartiles of the ratio, where they are printed. */
  readonly spread?: readonly [number, number];
  /** The most that the ratio may be; left out where it only informs. */
  readonly target?: number;
}

function isMet({ ratio, target }: Line): boolean {
  return target === undefined || ratio <= target;
}

function print(line: Line): void {
  const verdict = line.target === undefined ? '' : `<= ${line.target}  ${isMet(line) ? 'pass' : 'FAIL'}`;
  const spread =
    line.spread === undefined ? '' : `[${line.spread.map((quartile) => quartile.toFixed(2)).join(' .. ')}]  `;
  console.log(`${line.what.padEnd(64)} ${line.ratio.toFixed(3).padStart(8)}  ${spread}${verdict}`.trimEnd());
}

/** Measures one part, once more where it misses, and prints it. */
export async function measure(
  part: () => Promise<readonly Line[]> | readonly Line[],
): Promise<readonly Line[]> {
  let lines = await part();
  if (!lines.every(isMet)) lines = await part();
  lines.forEach(print);
  return lines;
}

/** Sets the exit code by whether all lines have met their targets. */
export function conclude(lines: readonly Line[]): void {
  process.exitCode = lines.every(isMet) ? 0 : 1;
}
