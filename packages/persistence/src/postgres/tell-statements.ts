import type pg from 'pg';

/** Told the text of each statement that is sent. */
export type OnStatement = (text: string) => void;

/** Listens in on a connection: for tests and measurements. */
export function tellStatements(client: pg.ClientBase, onStatement: OnStatement): void {
  const query = client.query.bind(client) as (...given: readonly unknown[]) => unknown;
  const told = (...given: readonly unknown[]): unknown => {
    onStatement(textOf(given[0]));
    return query(...given);
  };
  Object.assign(client, { query: told });
}

function textOf(given: unknown): string {
  if (typeof given === 'string') return given;
  return typeof given === 'object' && given !== null && 'text' in given ? String(given.text) : '';
}
