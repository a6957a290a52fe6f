import pg from 'pg';
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

/** Asks it of a connection, or of the next one of a pool that is free. */
export function run(
  on: pg.Pool | pg.ClientBase,
  statement: Statement,
  parameters: readonly Parameter[],
): Promise<readonly Cells[]> {
  return translated(() => ask(on, new TextQuery(statement, parameters.map(parameterText))));
}

interface Result {
  readonly rows: Cells[];
}

/** What the driver's types do not tell of those who are asked, and of a connection. */
interface Asked {
  query(query: TextQuery, values: undefined, done: (error?: Error | null, result?: Result) => void): void;
}

interface Connection {
  parse(statement: Statement): void;
  bind(call: { readonly statement: string; readonly values: Cells }): void;
  execute(): void;
  sync(): void;
}

/** Takes and brings texts. The driver's own would ask what the columns are at each call, and keep what it heard. */
class TextQuery extends pg.Query {
  declare readonly name: string;
  declare readonly text: string;
  declare readonly values: Cells;
  declare readonly hasBeenParsed: (connection: Connection) => unknown;
  declare readonly _result: Result;
  readonly query_timeout: number | undefined;

  constructor({ name, text, timeoutMs }: Statement, values: (string | null)[]) {
    super({ name, text, values });
    this.query_timeout = timeoutMs;
  }

  prepare(connection: Connection): void {
    if (!this.hasBeenParsed(connection)) connection.parse(this);
    connection.bind({ statement: this.name, values: this.values });
    connection.execute();
    connection.sync();
  }

  handleDataRow({ fields }: { readonly fields: Cells }): void {
    this._result.rows.push(fields);
  }
}

/** A failure shows who asked, not the socket that told of it. */
async function ask(on: pg.Pool | pg.ClientBase, query: TextQuery): Promise<readonly Cells[]> {
  const asked = on as unknown as Asked;
  try {
    return await new Promise((resolve, reject) => {
      asked.query(query, undefined, (error, result) => {
        if (error) reject(error);
        else resolve(result?.rows ?? []);
      });
    });
  } catch (error) {
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}
