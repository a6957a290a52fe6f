import {
  DomainError,
  jobEntries,
  type ClaimedJob,
  type LockedJob,
  type LineWriter,
  type Settlement,
} from '@plugin-config/domain';
import type pg from 'pg';
import { retryWhenBusy } from '../postgres/busy.ts';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { ROW_BY_ROW } from '../postgres/plans.ts';
import { lockJob, lockPlugins } from './lock-job.ts';
import { storeSettlement } from './store-settlement.ts';
import { writeOutbox } from './write-outbox.ts';

const TRIES = 5;

const BEGIN = `begin; ${ROW_BY_ROW}`;

interface JobToSettle {
  readonly job: ClaimedJob;
  readonly decide: (locked: LockedJob) => Promise<Settlement>;
}

interface Settling extends Pick<EncryptedDatabase, 'pool' | 'configurations'>, LineWriter {}

/** Settles a job in one transaction, and retries after a lost race. */
export async function settleJob({ pool, ...rest }: Settling, settling: JobToSettle): Promise<boolean> {
  const plugins = expectedPlugins(settling.job);
  const run = () => inTransaction(pool, BEGIN, (client) => settle(client, rest, settling, plugins));
  return retryWhenBusy(run, { tries: TRIES });
}

/** Returns the plugins to lock before the family. If the job turns out to need another plugin, the retry locks it, too. */
function expectedPlugins({ work }: ClaimedJob): Set<number> {
  const isChange = !(work instanceof Error) && work.kind === 'change';
  const plugin = isChange ? work.change.plugin : undefined;
  return new Set(plugin === undefined ? [] : [plugin]);
}

async function settle(
  client: pg.ClientBase,
  { configurations, ...writer }: Omit<Settling, 'pool'>,
  { job, decide }: JobToSettle,
  expected: Set<number>,
): Promise<boolean> {
  const plugins = await lockPlugins(client, job, expected);
  const locked = await lockJob(client, job, configurations);
  if (locked === null) return false;
  const settlement = await decide(locked);
  const { at } = locked;
  const { lines, write } = settlement;
  const record = write?.after ?? locked.record;
  if (!plugins.has(record.plugin)) {
    expected.add(record.plugin);
    throw new DomainError('busy', 'The job attaches a plugin that was not locked.', { retryAfterSeconds: 1 });
  }
  await storeSettlement(client, job, { ...settlement, at, record: locked.record, configurations });
  await writeOutbox(client, jobEntries(writer, { record, at, lines }));
  return true;
}
