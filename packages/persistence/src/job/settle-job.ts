import {
  DomainError,
  jobEntries,
  type ClaimedJob,
  type HeldJob,
  type Job,
  type LineWriter,
  type Settlement,
} from '@plugin-config/domain';
import type pg from 'pg';
import { inTransaction } from '../postgres/in-transaction.ts';
import { ROW_BY_ROW } from '../postgres/plans.ts';
import { holdJob, holdPlugins } from './hold-job.ts';
import { storeSettlement } from './store-settlement.ts';
import { writeOutbox } from './write-outbox.ts';

const TRIES = 5;

const TO_SETTLE = `begin; ${ROW_BY_ROW}`;

interface Ending {
  readonly job: ClaimedJob;
  readonly decide: (held: HeldJob) => Promise<Settlement>;
}

/** In one transaction, which begins anew where it lost a race. */
export async function settleJob(pool: pg.Pool, writer: LineWriter, ending: Ending): Promise<boolean> {
  const plugins = expectedPlugins(ending.job);
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTransaction(pool, TO_SETTLE, (client) => settle(client, writer, ending, plugins));
    } catch (error) {
      if (attempt === TRIES || !(error instanceof DomainError) || error.code !== 'busy') throw error;
    }
  }
}

/** They are locked before the family, as every writer does. One that turns out to be needed is locked the next time. */
function expectedPlugins({ work }: Job): Set<number> {
  const plugin = work.kind === 'change' ? work.change.plugin : undefined;
  return new Set(plugin === undefined ? [] : [plugin]);
}

async function settle(
  client: pg.ClientBase,
  writer: LineWriter,
  { job, decide }: Ending,
  expected: Set<number>,
): Promise<boolean> {
  const plugins = await holdPlugins(client, job, expected);
  const held = await holdJob(client, job);
  if (held === null) return false;
  const settlement = await decide(held);
  const { at } = held;
  const { lines, write } = settlement;
  const record = write?.after ?? held.record;
  if (!plugins.has(record.plugin)) {
    expected.add(record.plugin);
    throw new DomainError('busy', 'The job attaches a plugin that was not locked.', { retryAfterSeconds: 1 });
  }
  await storeSettlement(client, job, { ...settlement, at });
  await writeOutbox(client, jobEntries(writer, { record, at, lines }));
  return true;
}
