import {
  DomainError,
  startOfDay,
  type ClaimedJob,
  type HeldJob,
  type Job,
  type Settlement,
} from '@plugin-config/domain';
import type pg from 'pg';
import { inTransaction } from '../postgres/in-transaction.ts';
import { prepareDays } from '../log/log-days.ts';
import { TO_WRITE_LOGS } from '../log/write-entries.ts';
import { holdJob, holdPlugins } from './hold-job.ts';
import { writeJobLines, type LineWriter } from './job-lines.ts';
import { storeSettlement } from './store-settlement.ts';

const TRIES = 5;

/** Taken before the family is held, as every writer does. What shows only later to be needed is taken the next time. */
interface Needs {
  readonly plugins: Set<number>;
  /** On which it may end: the log has room for them. */
  readonly days: Set<number>;
}

interface Ending {
  readonly job: ClaimedJob;
  readonly decide: (held: HeldJob) => Promise<Settlement>;
}

/** In one transaction, which begins anew where it lost a race. */
export async function settleJob(pool: pg.Pool, writer: LineWriter, ending: Ending): Promise<boolean> {
  const needs = expectedNeeds(ending.job);
  for (let attempt = 1; ; attempt++) {
    try {
      await prepareDays(
        pool,
        [...needs.days].map((day) => new Date(day)),
      );
      return await inTransaction(pool, TO_WRITE_LOGS, (client) => settle(client, writer, ending, needs));
    } catch (error) {
      if (attempt === TRIES || !(error instanceof DomainError) || error.code !== 'busy') throw error;
    }
  }
}

function expectedNeeds({ work, startedAt, createdAt }: Job): Needs {
  const plugin = work.kind === 'change' ? work.change.plugin : undefined;
  const began = startedAt ?? createdAt;
  return {
    plugins: new Set(plugin === undefined ? [] : [plugin]),
    days: new Set([startOfDay(began.getTime())]),
  };
}

async function settle(
  client: pg.ClientBase,
  writer: LineWriter,
  { job, decide }: Ending,
  needs: Needs,
): Promise<boolean> {
  const plugins = await holdPlugins(client, job, needs.plugins);
  const held = await holdJob(client, job);
  if (held === null) return false;
  const settlement = await decide(held);
  const { at } = held;
  const { lines, decision } = settlement;
  const record = decision?.after ?? held.record;
  const day = startOfDay(at.getTime());
  if (!plugins.has(record.plugin) || !needs.days.has(day)) {
    needs.plugins.add(record.plugin);
    needs.days.add(day);
    throw new DomainError('busy', 'The job needs more than was taken for it.', { retryAfterSeconds: 1 });
  }
  await storeSettlement(client, job, { ...settlement, at });
  await writeJobLines(client, writer, { record, at, lines });
  return true;
}
