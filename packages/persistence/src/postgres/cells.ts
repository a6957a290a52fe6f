import { parseTimestamp } from './parse-timestamp.ts';
import type { Cells } from './statement.ts';

/** Read single values of a row. The statement guarantees that they exist. */
export function textAt(cells: Cells, at: number): string {
  return cells[at] as string;
}

export function numberAt(cells: Cells, at: number): number {
  return Number(cells[at]);
}

export function flagAt(cells: Cells, at: number): boolean {
  return cells[at] === 't';
}

export function dateAt(cells: Cells, at: number): Date {
  return new Date(parseTimestamp(textAt(cells, at)));
}
