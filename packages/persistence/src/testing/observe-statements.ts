import type pg from 'pg';

/** Calls the function with the text of each statement that is sent on new connections of the pool. */
export function observeStatements(
  { pool }: { readonly pool: pg.Pool },
  onStatement: (text: string) => void,
): void {
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...parameters: readonly unknown[]) => unknown;
    const observed = (...parameters: readonly unknown[]): unknown => {
      onStatement(textOf(parameters[0]));
      return query(...parameters);
    };
    Object.assign(client, { query: observed });
  });
}

function textOf(parameters: unknown): string {
  if (typeof parameters === 'string') return parameters;
  return typeof parameters === 'object' && parameters !== null && 'text' in parameters
    ? String(parameters.text)
    : '';
}
