import pg from 'pg';
import { tracedStatement, translated } from '../../postgres/statement.ts';

interface CopyTarget {
  readonly stream: { cork(): void; uncork(): void };
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

type Callback = (error: Error | null) => void;

/** A `copy … from stdin` query. Creates the data when the server is ready for it, and sends it all at once. */
class CopyIn extends pg.Query {
  readonly callback: Callback;
  readonly #data: () => Uint8Array;

  constructor(text: string, data: () => Uint8Array, callback: Callback) {
    super(text);
    this.callback = callback;
    this.#data = data;
  }

  handleCopyInResponse(connection: CopyTarget): void {
    try {
      const data = this.#data();
      connection.stream.cork();
      connection.sendCopyFromChunk(data);
      connection.endCopyFrom();
      connection.stream.uncork();
    } catch (error) {
      connection.sendCopyFail(String(error));
    }
  }
}

export async function copyIn(client: pg.ClientBase, text: string, data: () => Uint8Array): Promise<void> {
  const copy = (): Promise<void> =>
    new Promise((resolve, reject) => {
      client.query(new CopyIn(text, data, (error) => (error === null ? resolve() : reject(error))));
    });
  await translated(tracedStatement(text, copy));
}
