import type pg from 'pg';

type Row = readonly (string | null)[];

/** What the driver's types do not tell of a connection. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  /** By their names: what the server knows, and what it was sent. */
  readonly parsedStatements: Readonly<Record<string, string>>;
  readonly submittedNamedStatements: Record<string, string>;
  parse(statement: { readonly name: string; readonly text: string }): void;
  bind(call: { readonly statement: string; readonly values: Row }): void;
  execute(): void;
  sync(): void;
}

interface Order {
  readonly name: string;
  readonly text: string;
  readonly values: Row;
  readonly timeoutMs: number | undefined;
}

type Done = (error: Error | null, rows?: readonly Row[]) => void;

/**
 * A prepared statement that takes and brings texts. The driver's own would ask what its columns are at each call, and
 * keep what it heard.
 */
class TextQuery implements pg.Submittable {
  readonly name: string;
  readonly text: string;
  readonly query_timeout: number | undefined;
  /** Set by the driver. */
  callback: Done | undefined;
  readonly #values: Row;
  readonly #rows: Row[] = [];

  constructor({ name, text, values, timeoutMs }: Order) {
    this.name = name;
    this.text = text;
    this.query_timeout = timeoutMs;
    this.#values = values;
  }

  submit(connection: unknown): void {
    const { name, text } = this;
    const wire = connection as Wire;
    wire.stream.cork();
    if (!Object.hasOwn(wire.parsedStatements, name) && !Object.hasOwn(wire.submittedNamedStatements, name)) {
      wire.parse({ name, text });
      wire.submittedNamedStatements[name] = text;
    }
    wire.bind({ statement: name, values: this.#values });
    wire.execute();
    wire.sync();
    wire.stream.uncork();
  }

  handleDataRow({ fields }: { readonly fields: Row }): void {
    this.#rows.push(fields);
  }

  handleCommandComplete(): void {
    // Nothing is told before the server is ready again.
  }

  handleError(error: Error): void {
    this.callback?.(error);
  }

  handleReadyForQuery(): void {
    this.callback?.(null, this.#rows);
  }
}

/** Asks it of a connection, or of the next one of a pool that is free. */
export function askText(on: pg.Pool | pg.ClientBase, order: Order): Promise<readonly Row[]> {
  const { query } = on as unknown as { query(query: TextQuery, values: undefined, done: Done): void };
  return new Promise((resolve, reject) => {
    query.call(on, new TextQuery(order), undefined, (error, rows) => {
      if (error) reject(error);
      else resolve(rows ?? []);
    });
  });
}
