/**
 * What the suite knows of the cell that it runs in, and where it reports to.
 * Invariant: what a cell expects is stated by the matrix, never guessed from what happens.
 */

/** One cell, as the matrix states it in the environment. */
export interface Cell {
  /** The folder of the compiled (or source) files of the suite, with the extension that they have. */
  readonly folder: string;
  readonly extension: 'js' | 'ts';
  /** The folder outside which nothing may be loaded. */
  readonly workspace: string;
  /** The compiler emits the types of parameters. */
  readonly emitsTypes: boolean;
  /** Two files that import each other for a property's type. */
  readonly circular: 'loads' | 'fails';
  /** The suite, the package and its peers are one file. */
  readonly bundled: boolean;
  /** Classes have other names at run time than in the source. */
  readonly renamed: boolean;
  /** Files are loaded by the suite, since `import()` from within the package bypasses the runner. */
  readonly loadsItself: boolean;
  /** A module that was compiled to standard decorators; left out where the cell has none. */
  readonly standard?: string;
  /** Where the names of passed and failed checks go. */
  readonly report: string;
}

/** Reads the cell from the environment. */
export function readCell(): Cell {
  const text = process.env.MATRIX_CELL;
  if (text === undefined) throw new Error('MATRIX_CELL is not set; run npm run matrix');
  return JSON.parse(text);
}
