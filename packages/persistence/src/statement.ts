import type pg from 'pg';
import { translated } from './translate-error.ts';

/** One row as the server wrote it: every value as text. */
export type Cells = readonly (string | null)[];

/** A prepared statement: parsed and planned once on each connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** Where it is to be given up sooner than others. */
  readonly timeoutMs?: number;
}

type Value = string | number | boolean | null | readonly (string | number | boolean | null)[];

/** Texts are read where they are needed, not where they arrive. */
const AS_TEXT = { getTypeParser: () => (value: string) => value };

export async function run(
  on: pg.Pool | pg.ClientBase,
  { name, text, timeoutMs }: Statement,
  values: readonly Value[],
): Promise<readonly Cells[]> {
  const query = {
    name,
    text,
    values: [...values],
    rowMode: 'array' as const,
    types: AS_TEXT,
    query_timeout: timeoutMs,
  };
  const { rows } = await translated(() => on.query<(string | null)[]>(query));
  return rows;
}
