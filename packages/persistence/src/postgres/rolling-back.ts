import type pg from 'pg';

/** The part of a connection that stores use. */
interface Connection {
  readonly query: Query;
  readonly release: (destroy?: boolean) => void;
}

type Query = (
  statement: string | { readonly text: string },
  ...values: readonly unknown[]
) => Promise<unknown>;

const BEGIN = /^(begin|start transaction)\b/i;
const END = /^(commit|rollback)$/i;

/**
 * Returns a pool that commits nothing: transactions are rolled back instead of committed, and so are statements outside of
 * transactions. It only has the methods that the stores use.
 */
export function rollingBack(pool: pg.Pool): pg.Pool {
  const connect = async (): Promise<Connection> => rolledBack(await pool.connect());
  const query: Query = async (...statement) => {
    const connection = await connect();
    try {
      return await connection.query(...statement);
    } finally {
      connection.release();
    }
  };
  return { connect, query } as unknown as pg.Pool;
}

function rolledBack(client: pg.PoolClient): Connection {
  const send = client.query.bind(client) as Query;
  let isOpen = false;
  const rollBack = async (): Promise<unknown> => {
    // Cleared before the response arrives, since a statement that is sent in between needs a new transaction.
    isOpen = false;
    return send('rollback').catch((error: unknown) => {
      isOpen = true;
      throw error;
    });
  };
  return {
    async query(...statement) {
      const [first] = statement;
      const text = typeof first === 'string' ? first : first.text;
      if (END.test(text)) return rollBack();
      if (isOpen) return send(...statement);
      isOpen = true;
      if (BEGIN.test(text)) return send(...statement);
      await send('begin');
      try {
        return await send(...statement);
      } finally {
        await rollBack();
      }
    },
    release(destroy = false) {
      client.release(destroy || isOpen);
    },
  };
}
