import type pg from 'pg';
import { parameterText, type Parameter } from './parameter-text.ts';
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

/** Leaves every value as the text that the server wrote. */
const AS_TEXT: pg.CustomTypesConfig = { getTypeParser: () => (text: string) => text };

/** Asks it of a connection, or of the next one of a pool that is free. */
export function run(
  on: pg.Pool | pg.ClientBase,
  { name, text, timeoutMs }: Statement,
  parameters: readonly Parameter[],
): Promise<readonly Cells[]> {
  const query: Timed<pg.QueryArrayConfig> = {
    name,
    text,
    values: parameters.map(parameterText),
    rowMode: 'array',
    types: AS_TEXT,
    query_timeout: timeoutMs,
  };
  return translated(async () => {
    const { rows } = await on.query<(string | null)[]>(query);
    return rows;
  });
}

/** The driver takes a time-out for each query, which its types do not say. */
type Timed<T> = T & { readonly query_timeout: number | undefined };
