import {
  aFamily,
  aJob,
  anAuthor,
  aPlugin,
  aRecord,
  aRecordDraft,
  aRecordWrite,
  createOnce,
  queueOnce,
} from '@plugin-config/testing';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { ACCESS } from './access/query-access.ts';
import { ACCESS_TO_FAMILIES } from './access/query-access-by-family.ts';
import { TOUCH_KEYS } from './access/postgres-api-key-store.ts';
import { ADD_DEAD_LETTERS } from './dead-letter/dead-letter-writer.ts';
import { KEEP_FAILED, TRIM_FAILED } from './delivery/keep-failed.ts';
import { FAILURES, READ_SPANS } from './delivery/postgres-delivery-series.ts';
import { ADD_SEQUENCE } from './following/add-to-sequence.ts';
import { READ_SEQUENCE } from './following/postgres-log-sequence.ts';
import { TO_WRITE_LOGS } from './log/append-entries.ts';
import { FIND_STORED } from './log/entries/are-in-postgres.ts';
import { FIND_ENTRIES } from './log/entries/find-entries.ts';
import { LOG_COUNTS, PROJECT_LOG_COUNTS } from './log/postgres-log-counts.ts';
import { attachedStatement } from './plugin/attached-records.ts';
import { FIND_RECORD, READ_CHUNK } from './record/find-records.ts';
import { LOCK_FAMILY } from './writing/lock-families.ts';
import { LIVE_RECORDS, MOVE_RECORDS } from './record/lock-family.ts';
import { pageStatement } from './record/list-records.ts';
import { FAMILY_CHANGES, FAMILY_VERSIONS } from './following/postgres-family-changes.ts';
import { DATA_KEYS } from './configuration/data-keys.ts';
import { CLAIM_JOBS } from './plugin-job/claim-jobs.ts';
import { OPEN_LANES } from './plugin-job/open-lanes.ts';
import { READ_REGISTRATIONS } from './configuration/registrations.ts';
import { READ_CONFIGURED } from './record/read-configuration.ts';
import { TO_DROP } from './retention/drop-old-rows.ts';
import { LOCK_JOB_OF_RECORD } from './job/cancel-job.ts';
import {
  DROP_REVISIONS,
  DROP_DELIVERY_SUMS,
  DROP_FAILED_DELIVERIES,
  DROP_FINISHED_JOBS,
  DROP_KEPT_RESPONSES,
  DROP_LOG_HOURS,
  DROP_OLD_ACTIVITY,
  DROP_OLD_SEQUENCE,
  DROP_DISPATCHES,
  FORGET_LOGS,
} from './retention/postgres-retention.ts';
import { BEGIN_BY_INDEX, BEGIN_ROW_BY_ROW } from './postgres/plans.ts';
import type { Statement } from './postgres/statement.ts';
import { ALL_PROJECTS, PROJECT_OF_RECORD } from './runtime/postgres-project-feed.ts';
import { RUNTIME_CONFIGURATION, RUNTIME_VERSION } from './runtime/postgres-runtime-configurations.ts';
import { CLAIM_TASKS } from './task/claim-tasks.ts';
import { WAKE_TASKS } from './task/postgres-task-queue.ts';
import { ADD_USAGE } from './usage/postgres-log-usage.ts';
import { DISPATCH_PAGE } from './webhook/postgres-dispatch-store.ts';
import { databaseOfFile } from './testing/database-of-file.ts';
import { planOf } from './testing/plan-of.ts';
import { postgresPorts } from './postgres-ports.ts';

const withEmptied = databaseOfFile({ poolSize: 1 });

/** The entries of a log are in the partitions of their days. */
const WITH_A_DAY = `begin;
  create table log_entry_day partition of log_entry for values from ('2026-01-02') to ('2026-01-03')`;

const STATEMENTS: readonly (Statement & { readonly begin?: string })[] = [
  ACCESS,
  ACCESS_TO_FAMILIES,
  FIND_RECORD,
  pageStatement('list_records', ['deleted']),
  pageStatement('list_records', ['deleted', 'enabled', 'plugin', 'search']),
  pageStatement('list_records', ['deleted', 'valid']),
  pageStatement('list_records', ['deleted', 'outdated']),
  pageStatement('list_changed_records', []),
  attachedStatement({ projectIds: [], valid: null, outdated: null }),
  attachedStatement({ projectIds: [1], valid: false, outdated: true }),
  READ_CONFIGURED,
  READ_CHUNK,
  { ...LOCK_FAMILY, begin: BEGIN_ROW_BY_ROW },
  { ...LIVE_RECORDS, begin: BEGIN_ROW_BY_ROW },
  { ...MOVE_RECORDS, begin: BEGIN_ROW_BY_ROW },
  FAMILY_CHANGES,
  FAMILY_VERSIONS,
  LOCK_JOB_OF_RECORD,
  { ...OPEN_LANES, begin: BEGIN_BY_INDEX },
  { ...CLAIM_JOBS, begin: BEGIN_BY_INDEX },
  { ...CLAIM_TASKS, begin: BEGIN_BY_INDEX },
  { ...WAKE_TASKS, begin: BEGIN_BY_INDEX },
  { ...DROP_FINISHED_JOBS, begin: TO_DROP },
  { ...DROP_OLD_ACTIVITY, begin: TO_DROP },
  { ...DROP_KEPT_RESPONSES, begin: TO_DROP },
  { ...DROP_LOG_HOURS, begin: TO_DROP },
  { ...DROP_REVISIONS, begin: TO_DROP },
  { ...ADD_SEQUENCE, begin: TO_WRITE_LOGS },
  { ...ADD_DEAD_LETTERS, begin: TO_WRITE_LOGS },
  READ_SEQUENCE,
  { ...FIND_ENTRIES, begin: WITH_A_DAY },
  { ...FIND_STORED, begin: WITH_A_DAY },
  ADD_USAGE,
  { ...DROP_OLD_SEQUENCE, begin: TO_DROP },
  { ...FORGET_LOGS, begin: TO_DROP },
  { ...DROP_DELIVERY_SUMS, begin: TO_DROP },
  { ...DROP_FAILED_DELIVERIES, begin: TO_DROP },
  { ...KEEP_FAILED, begin: BEGIN_ROW_BY_ROW },
  { ...TRIM_FAILED, begin: BEGIN_ROW_BY_ROW },
  FAILURES.statement,
  READ_SPANS,
  { ...LOG_COUNTS, name: 'log_counts' },
  { ...PROJECT_LOG_COUNTS, name: 'project_log_counts' },
  DISPATCH_PAGE.statement,
  { ...DROP_DISPATCHES, begin: TO_DROP },
  TOUCH_KEYS,
  DATA_KEYS,
  READ_REGISTRATIONS,
  ALL_PROJECTS,
  PROJECT_OF_RECORD,
  RUNTIME_VERSION,
  RUNTIME_CONFIGURATION,
];

/** Plan nodes that read more of a table than the statement needs. */
const READS_ALL =
  /Seq Scan|Hash (Left |Right |Full |Semi |Anti )?Join|Merge (Left |Right |Full |Semi |Anti )?Join/;

/** The lines of a plan that say which indexes it uses, and by which columns. */
const READS = /^.*(Index.* Scan|Index Cond).*$/gm;

test.each(STATEMENTS)('$name uses indexes on tables of any size', ({ text, begin }) =>
  withEmptied(async ({ pool }) => {
    const plan = await planOf(pool, text, begin);
    expect(plan).not.toMatch(READS_ALL);
    expect(
      plan
        .match(READS)
        ?.map((line) => line.trim().replace('->  ', ''))
        .join('\n'),
    ).toMatchSnapshot();
  }),
);

test('the functions that store changes, new records, jobs and kept responses use indexes, too', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const family = await aFamily(ports);
    const record = await aRecord(ports, family);
    await ports.plugins.register(aPlugin({ id: 7 }), new Map(), anAuthor());
    const plans = await plansOf(database.pool, async () => {
      await aRecord(ports, family);
      const { value } = await ports.records.find(record);
      if (value !== null) {
        await ports.records.save(aRecordWrite(value, { name: 'Changed' }, { ended: { config: '{}' } }));
      }
      const key = { name: 'request', digest: '' };
      const author = anAuthor({ actor: { keyId: 1, label: '' } });
      await createOnce(ports.records, family, aRecordDraft(), { author, requireRegistered: false }, key);
      const job = aJob(record, { actor: author.actor });
      const response = { jobId: job.id, record };
      await queueOnce(ports.jobs, { job, response, precondition: null, key: { ...key, name: 'job' } });
    });
    expect(plans.join('\n')).toContain('Update on config_record');
    expect(plans.join('\n')).toContain('Insert on config_record');
    expect(plans.join('\n')).toContain('Insert on config_revision');
    expect(plans.join('\n')).toContain('Insert on kept_response');
    expect(plans.join('\n')).toContain('Index Scan using kept_response_number_index');
    for (const plan of plans) expect(plan).not.toMatch(READS_ALL);
  }));

/** Returns the plans of all statements of the work, including nested statements. */
async function plansOf(pool: pg.Pool, work: () => Promise<void>): Promise<readonly string[]> {
  const plans: string[] = [];
  const client = await pool.connect();
  client.on('notice', ({ message }) => void (message?.includes('plan:') && plans.push(message)));
  await client.query(`load 'auto_explain'; set auto_explain.log_min_duration = 0;
    set auto_explain.log_nested_statements = on; set client_min_messages = log`);
  client.release();
  await work();
  return plans;
}
