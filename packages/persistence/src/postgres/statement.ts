import { activeSpan, asStep } from '@plugin-config/tracing';
import type pg from 'pg';
import { translateError } from './translate-error.ts';

/** One row as the server sent it: each value is a text, parsed only when it is read. */
export type Cells = readonly (string | null)[];

/** A prepared statement: parsed and planned once on each connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** A shorter time limit than the usual one. */
  readonly timeoutMs?: number;
}

type Scalar = string | number | boolean | null;

/** A parameter of a statement. */
export type Parameter = Scalar | readonly Scalar[];

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

/** Runs work of the driver or the ORM, and translates its errors. */
export async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw translateError(error);
  }
}

/** Runs work on a connection of the pool. As for a single statement, the connection is given up if the work fails. */
export async function onConnection<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await translated(() => pool.connect());
  let failed = true;
  try {
    const result = await work(client);
    failed = false;
    return result;
  } finally {
    client.release(failed);
  }
}

/** The driver supports a time-out per query, although its types do not say so. */
type Timed<T> = T & { readonly query_timeout: number | undefined };

const SPECIAL = /["\\]/g;

/** The text of a parameter for the server: an array becomes a literal, a text stays as it is. */
function parameterText(parameter: Parameter): string | null {
  if (parameter === null || typeof parameter === 'string') return parameter;
  return typeof parameter === 'object' ? `{${parameter.map(elementText).join(',')}}` : String(parameter);
}

/** Quotes a text, so that the word `null` does not become a null. */
function elementText(element: Scalar): string {
  return typeof element === 'string' ? `"${element.replace(SPECIAL, String.raw`\$&`)}"` : String(element);
}

const FIRST_WORD = /[^\s;]+/;

/**
 * The same work, in a span if it is part of a trace. The span has the name of the statement, or the first word of its text,
 * and never more of its text or its values.
 */
export function tracedStatement<T>(nameOrText: string, work: () => Promise<T>): () => Promise<T> {
  if (activeSpan() === null) return work;
  const [name = ''] = FIRST_WORD.exec(nameOrText) ?? [];
  const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': name };
  return asStep({ name, kind: 'client', attributes }, work);
}
