/**
 * The decorator behaviour that every cell of the matrix must show, check by check.
 * Invariant: a cell differs from another only where `Cell` says so; everything else is the same everywhere.
 */
import { createToolkit } from 'toolcrib';
import type { Cell } from './cell.js';
import type { Check } from './checks.js';
import { declaring, describing } from './declared.js';
import { binding, invoking } from './invoked.js';
import { discovering, inferring, surroundings } from './loaded.js';
import { ArchiveService, OrderService, PlaceOrderTool } from './orders.js';

/** All checks of a cell. */
export async function suiteOf(cell: Cell): Promise<readonly Check[]> {
  const toolkit = await createToolkit({
    discover: {
      classes: [PlaceOrderTool],
      instances: [new OrderService(), new ArchiveService()],
    },
  });
  return [
    ...declaring(toolkit),
    ...describing(toolkit, cell),
    ...invoking(toolkit),
    ...discovering(cell),
    ...inferring(cell),
    ...surroundings(cell),
    ...binding(toolkit),
  ];
}
