import { timedOut } from '@plugin-config/domain';
import { batching, type BatchingOptions } from '@plugin-config/flow/node';
import { activeSpan, onBehalfOf, traced, type Span } from '@plugin-config/tracing';
import type pg from 'pg';
import { translateError } from './translate-error.ts';

/** A row as sent by the server: every value is text, which is only parsed when it is read. */
export type Cells = readonly (string | null)[];

/** A prepared statement, which each connection parses and plans once. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** A shorter time limit than the default. */
  readonly timeoutMs?: number;
}

/** Returns a tag for the text of a statement. It inserts SQL only: values are parameters. */
export function prepared(name: string) {
  return (text: TemplateStringsArray, ...sql: readonly (string | number | bigint)[]): Statement => ({
    name,
    text: String.raw({ raw: text }, ...sql).trimStart(),
  });
}

type Scalar = string | number | boolean | null;

export type Parameter = Scalar | readonly Scalar[];

/** Keeps every value as text. */
const AS_TEXT: pg.CustomTypesConfig = { getTypeParser: () => (text: string) => text };

/** Runs a statement on a connection, or on any connection of a pool. */
export function run(
  connection: pg.Pool | pg.ClientBase,
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
  const send = async (): Promise<readonly Cells[]> => (await connection.query<(string | null)[]>(query)).rows;
  return translated(tracedStatement(name, send));
}

/** Runs work of the driver and translates its errors. */
export async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw translateError(error);
  }
}

/** Runs work on a connection of the pool, which is discarded if the work fails. */
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

/** The driver supports a timeout per query, but its types do not say so. */
type Timed<T> = T & { readonly query_timeout: number | undefined };

const SPECIAL = /["\\]/g;

/** Converts a parameter to text. Arrays become array literals. */
function parameterText(parameter: Parameter): string | null {
  if (parameter === null || typeof parameter === 'string') return parameter;
  return typeof parameter === 'object' ? `{${parameter.map(elementText).join(',')}}` : String(parameter);
}

/** Quotes texts, since the word `null` would become a null. */
function elementText(element: Scalar): string {
  return typeof element === 'string' ? `"${element.replace(SPECIAL, String.raw`\$&`)}"` : String(element);
}

const FIRST_WORD = /[^\s;]+/;

/**
 * Wraps the work in a span if it is part of a trace. The span is named after the statement or the first word of its text, and
 * contains nothing else of its text or values.
 */
export function tracedStatement<T>(nameOrText: string, work: () => Promise<T>): () => Promise<T> {
  if (activeSpan() === null) return work;
  const [name = ''] = FIRST_WORD.exec(nameOrText) ?? [];
  const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': name };
  return traced({ name, kind: 'client', attributes }, work);
}

const CALLERS = { rejection: timedOut, caller: activeSpan, onBehalfOf };

/** Batches items into shared statements. In traces, a statement belongs to all requests that share it. */
export const shareStatements = <Item, Result>(
  options: Omit<BatchingOptions<Item, Result, Span | null>, keyof typeof CALLERS>,
): ((item: Item) => Promise<Result>) => batching({ ...options, ...CALLERS });
