import { DomainError, startOfDay, type IngestStore, type Message } from '@plugin-config/domain';
import type pg from 'pg';
import type { Database } from '../postgres/database.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { ingestBatch } from './ingest-batch.ts';
import { entryInserter } from '../log/insert-entries.ts';
import { prepareDays } from '../log/log-days.ts';
import { TO_WRITE_LOGS } from '../log/write-entries.ts';

const TRIES = 4;
/** Of the server's codes, those that speak of the data: what a value holds, or how large it is. */
const OF_THE_DATA = new Set(['22', '23', '54']);

export function postgresIngestStore({ pool }: Pick<Database, 'pool'>): IngestStore {
  const insert = entryInserter();
  const prepare = dayPreparer(pool);
  return {
    store: (messages) =>
      withTries(async () => {
        await prepare(messages);
        return inTransaction(pool, TO_WRITE_LOGS, (client) => ingestBatch(client, insert, messages));
      }),
  };
}

/** Days that have been seen to be there are not asked for again. Where they were dropped since, that shows later. */
function dayPreparer(pool: pg.Pool): (messages: readonly Message[]) => Promise<void> {
  const known = new Set<number>();
  return async (messages) => {
    const unknown = new Set<number>();
    for (const message of messages) {
      if (message.kind !== 'log' && message.kind !== 'delivery') continue;
      const day = startOfDay(message.timestamp);
      if (!known.has(day)) unknown.add(day);
    }
    if (unknown.size === 0) return;
    await prepareDays(
      pool,
      [...unknown].map((day) => new Date(day)),
    );
    for (const day of unknown) known.add(day);
  };
}

/** Who lost a race tries again; what is wrong with the data, the core is told. */
async function withTries<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt < TRIES && error instanceof DomainError && error.code === 'busy') continue;
      throw isOfTheData(error) ? unstorable(error) : error;
    }
  }
}

function isOfTheData(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return OF_THE_DATA.has(code.slice(0, 2));
}

function unstorable(cause: unknown): DomainError {
  return new DomainError('invalid_input', 'Something in the batch cannot be stored.', { cause });
}
