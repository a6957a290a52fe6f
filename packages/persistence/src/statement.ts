import type pg from 'pg';
import { parameterText, type Parameter } from './parameter-text.ts';
import { askText } from './text-query.ts';
import { translated } from './translate-error.ts';

/** One row as the server wrote it: every value as text, read where it is needed, not where it arrives. */
export type Cells = readonly (string | null)[];

/** A prepared statement: parsed and planned once on each connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** Where it is to be given up sooner than others. */
  readonly timeoutMs?: number;
}

export function run(
  on: pg.Pool | pg.ClientBase,
  { name, text, timeoutMs }: Statement,
  parameters: readonly Parameter[],
): Promise<readonly Cells[]> {
  const values = parameters.map(parameterText);
  return translated(() => askText(on, { name, text, values, timeoutMs }));
}
