import { describeStart, type Claim, type Job } from '@plugin-config/domain';
import type pg from 'pg';
import { numberAt } from '../cells.ts';
import { inTransaction } from '../in-transaction.ts';
import { prepareDays } from '../log-entry/log-days.ts';
import { TO_WRITE_LOGS } from '../log-entry/write-entries.ts';
import { run, type Statement } from '../statement.ts';
import { JOB_COLUMNS, jobAt } from './job-columns.ts';
import { writeJobLines, type LineWriter } from './job-lines.ts';

/** At one moment, with the leases that began before another. */
const DUE = `d.finished_at is null and d.due_at <= $1::timestamptz
    and (d.state = 'queued' or d.started_at < $2::timestamptz)`;

const FIND_DUE_JOB: Statement = {
  name: 'find_due_job',
  text: `select 1 from job d where ${DUE} order by d.due_at, d.id limit 1`,
};

/** Those that somebody else is about to take are passed over. */
const CLAIM_JOB: Statement = {
  name: 'claim_job',
  text: `with due as materialized (
    select d.id from job d where ${DUE} order by d.due_at, d.id limit 1 for no key update skip locked
  )
  update job j set state = 'running', attempts = j.attempts + 1, started_at = $1::timestamptz
  from config_record r
  where j.id = (select due.id from due) and r.id = j.record_id
  returning r.plugin, ${JOB_COLUMNS}`,
};

/** The job, its start told in the log of its record. Whoever finds none due begins nothing. */
export async function claimJob(
  pool: pg.Pool,
  writer: LineWriter,
  { at, leaseMs }: Claim,
): Promise<Job | null> {
  const bounds = [at.toISOString(), new Date(at.getTime() - leaseMs).toISOString()];
  if ((await run(pool, FIND_DUE_JOB, bounds)).length === 0) return null;
  await prepareDays(pool, [at]);
  return inTransaction(pool, TO_WRITE_LOGS, async (client) => {
    const [row] = await run(client, CLAIM_JOB, bounds);
    if (row === undefined) return null;
    const job = jobAt(row, 1);
    const record = { ...job.record, plugin: numberAt(row, 0) };
    await writeJobLines(client, writer, { record, at, lines: [describeStart(job)] });
    return job;
  });
}
