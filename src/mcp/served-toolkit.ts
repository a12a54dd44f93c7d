/**
 * What serving over MCP needs of a toolkit.
 * Invariant: no more than another installed copy of this package gives too.
 */
import type { Toolkit } from '../toolkit';

/** A toolkit as the doors of MCP use it. */
export type ServedToolkit = Pick<Toolkit, 'registry' | 'approvals' | 'invoke' | 'logger'>;
