import type { ListedJob, LockedJob, Settlement } from '@plugin-config/domain';
import type pg from 'pg';
import { numberedRows } from '../postgres/numbered-rows.ts';
import type { Configurations } from '../configuration/configurations.ts';
import { changeOf, encrypterOf } from '../record/save-records.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { encryptedEntryValues, entriesIn } from '../writing/history-entries.ts';
import { KEEP_REVISIONS } from '../writing/keep-revisions.ts';
import { RECORD_CHANGE, SET_CHANGE } from '../writing/record-values.ts';
import { write } from '../writing/write.ts';
import { endJob, entriesOf } from './end-job.ts';

/** Stores the change of a record by a job. */
const CHANGE_RECORD: Statement = {
  name: 'change_record_of_job',
  text: write({
    update: {
      set: SET_CHANGE,
      from: numberedRows('$2', RECORD_CHANGE, 'c'),
      where: 'r.id = $1',
      returning: 'c.ends_revision, c.ended_config',
    },
    entries: { from: entriesOf('$3'), record: '$1', ...entriesIn('e') },
    increments: 'list_version',
    also: { ended: KEEP_REVISIONS },
    result: 'select from written limit 0',
  }),
};

/**
 * Stores the end of a job within the transaction that has locked it. If the job changes the record, the record version is
 * incremented once and the family version twice.
 */
export async function storeSettlement(
  client: pg.ClientBase,
  job: ListedJob,
  settlement: Settlement & Pick<LockedJob, 'at' | 'record'> & { readonly configurations: Configurations },
): Promise<void> {
  const { record, write: change, configurations } = settlement;
  if (change !== null) {
    const changed = { ...change, before: record };
    const encrypt = await encrypterOf(client, configurations, [changed]);
    const changes = [changeOf(changed, encrypt)];
    const entries = [encryptedEntryValues(change.activity, record, encrypt)];
    await run(client, CHANGE_RECORD, [record.id, JSON.stringify(changes), JSON.stringify(entries)]);
  }
  await endJob(client, job, settlement);
}
