import type pg from 'pg';
import { parameterText, type Parameter } from './parameter-text.ts';
import { tracedStatement } from './traced-statement.ts';
import { translated } from './translate-error.ts';

/** One row as the server sent it: each value is a text, parsed only when it is read. */
export type Cells = readonly (string | null)[];

/** A prepared statement: parsed and planned once on each connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** A shorter time limit than the usual one. */
  readonly timeoutMs?: number;
}

/** Keeps every value as the text that the server sent. */
const AS_TEXT: pg.CustomTypesConfig = { getTypeParser: () => (text: string) => text };

/** Runs a statement on a connection, or on a free connection of a pool. */
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
  const send = async (): Promise<readonly Cells[]> => (await on.query<(string | null)[]>(query)).rows;
  return translated(tracedStatement(name, send));
}

/** The driver supports a time-out per query, although its types do not say so. */
type Timed<T> = T & { readonly query_timeout: number | undefined };
