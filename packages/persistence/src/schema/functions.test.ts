import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DISPATCHES_MAX, KEPT_MAX_PER_KEY, KEPT_OVERHEAD_BYTES } from '@plugin-config/domain';
import { expect, test } from 'vitest';
import { ADVISORY_LOCK, ADVISORY_LOCKS } from '../postgres/advisory-locks.ts';
import { CREATION } from '../record/create-records.ts';
import { RECORD_VALUES } from '../record/record-columns.ts';
import { CHANGE } from '../record/save-records.ts';
import { entriesIn, insertEntries } from '../writing/history-entries.ts';
import { OF_WRITTEN, INCREMENTS } from '../writing/write.ts';

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

const functionIn = (file: string): string =>
  oneLine(readFileSync(join(import.meta.dirname, 'functions', file), 'utf8'));

const rowsOf = (columns: Readonly<Record<string, string>>): string =>
  `json_to_recordset(changes) as ( ${Object.entries(columns)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ')} )`;

test.each([
  ['lock-for-batch.sql', `pg_try_advisory_xact_lock_shared(${ADVISORY_LOCKS.plugin}, `],
  ['lock-for-batch.sql', `pg_advisory_xact_lock_shared(${ADVISORY_LOCKS.plugin}, `],
  ['drop-log-day.sql', `pg_advisory_xact_lock(${ADVISORY_LOCK.days})`],
  ['kept-responses.sql', `l.number - f.number + 1 >= ${KEPT_MAX_PER_KEY.responses} or`],
  ['kept-responses.sql', `kept_bytes(f.response) >= ${KEPT_MAX_PER_KEY.bytes},`],
  ['kept-responses.sql', `octet_length(response::text) + ${KEPT_OVERHEAD_BYTES} $`],
  [
    'queue-dispatches.sql',
    `between webhook * ${DISPATCHES_MAX.inFlight} and webhook * ${DISPATCHES_MAX.inFlight} + ${DISPATCHES_MAX.inFlight - 1} limit ${DISPATCHES_MAX.waiting} )`,
  ],
  ['queue-dispatches.sql', `::bigint, 0) % ${DISPATCHES_MAX.inFlight} $`],
  ['queue-dispatches.sql', `${DISPATCHES_MAX.waiting} - waiting_dispatches(`],
  ['create-config-records.sql', rowsOf(CREATION)],
  ['save-config-records.sql', rowsOf(CHANGE)],
])('%s contains the same as the code: %s', (file, shared) => {
  expect(functionIn(file)).toContain(shared);
});

const NAMES = Object.keys(RECORD_VALUES.types);
const INCREMENTED_FAMILY = `update config_family f set ${INCREMENTS.list_version} where ${OF_WRITTEN}`;

test.each([
  [
    'create-config-records.sql',
    `insert into config_record ( id, project_id, family, ${NAMES.join(', ')}, config`,
  ],
  ['create-config-records.sql', `j.family, ${NAMES.map((name) => `j.${name}`).join(', ')}, j.config`],
  ['create-config-records.sql', INCREMENTED_FAMILY],
  ['save-config-records.sql', `set ${NAMES.map((name) => `${name} = c.${name}`).join(', ')}, position =`],
  [
    'save-config-records.sql',
    insertEntries({ from: 'written w order by w.number', record: 'w.id', ...entriesIn('w') }),
  ],
  ['save-config-records.sql', `update config_family f set ${INCREMENTS.list_version}, write_backs =`],
  ['save-config-records.sql', `where ${OF_WRITTEN}`],
  [
    'queue-job.sql',
    insertEntries({
      from: 'fitting j',
      record: 'j.id',
      activity: `'job_queued'`,
      at: 'job_at',
      author: 'job_key_id, job_label, job_subject, job_request_id',
      changes: `'[]'`,
    }),
  ],
  ['queue-job.sql', `update config_family f set ${INCREMENTS.family_version} where`],
])('%s writes as `write` does: %s', (file, part) => {
  expect(functionIn(file)).toContain(oneLine(part));
});
