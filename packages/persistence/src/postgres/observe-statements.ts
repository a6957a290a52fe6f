import type pg from 'pg';

/** Called with the text of each sent statement. */
export type OnStatement = (text: string) => void;

/** Observes the statements of a connection, for tests and measurements. */
export function observeStatements(client: pg.ClientBase, onStatement: OnStatement): void {
  const query = client.query.bind(client) as (...parameters: readonly unknown[]) => unknown;
  const observed = (...parameters: readonly unknown[]): unknown => {
    onStatement(textOf(parameters[0]));
    return query(...parameters);
  };
  Object.assign(client, { query: observed });
}

function textOf(parameters: unknown): string {
  if (typeof parameters === 'string') return parameters;
  return typeof parameters === 'object' && parameters !== null && 'text' in parameters
    ? String(parameters.text)
    : '';
}
