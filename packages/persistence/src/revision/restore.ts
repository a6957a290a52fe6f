import type { ConfigRecord, Restore, RestoredRecord } from '@plugin-config/domain';
import type pg from 'pg';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { inTransactionWithin, lockTimeout } from '../postgres/in-transaction.ts';
import { prepared, run } from '../postgres/statement.ts';
import { BEGIN_ROW_BY_ROW } from '../postgres/plans.ts';
import { keepResponse, keptRecord, withoutSecrets } from '../record/kept-responses.ts';
import { REGISTRY_VERSION_OF_RECORD } from '../record/record-columns.ts';
import { saveRecords } from '../record/save-records.ts';
import { requireStored } from '../record/store-writes.ts';

const LOCK_RECORDS_FAMILY = prepared('lock_records_family')`
  select from lock_for_batch(array[$1::integer], array[$2::bigint], array[$3::text], '{}', $4) l
  where l.family_versions[1] is not null`;

const IS_UNCHANGED = prepared('is_unchanged')`
  select from config_record r left join plugin i on i.id = r.plugin
  where r.id = $1 and r.version = $2 and r.config_version = $3 and ${REGISTRY_VERSION_OF_RECORD} is not distinct from $4`;

/** Locks the family first, so the second of two requests with the same key finds the response to the first. */
export function restore(
  { pool, configurations }: Pick<EncryptedDatabase, 'pool' | 'configurations'>,
  { before, write, missing, author, deadline }: Restore,
): Promise<RestoredRecord | null> {
  const { projectId, family, plugin } = before;
  return inTransactionWithin(pool, { deadline, begin: BEGIN_ROW_BY_ROW }, async (client, within) => {
    const waitMs = lockTimeout(deadline);
    const locked = await run(client, LOCK_RECORDS_FAMILY, [plugin, projectId, family, waitMs]);
    // The project has been deleted.
    if (locked.length === 0) return null;
    const kept = await keptRecord<RestoredRecord>(client, configurations, author);
    if (kept !== null) return kept;
    const [record] =
      write === null
        ? [await unchanged(client, before)]
        : await within(() => saveRecords(client, [write], { configurations, waitMs }));
    if (record === null) return null;
    const restored: RestoredRecord = { record: requireStored(record), missing };
    await keepResponse(client, { projectId, family, author, response: withoutSecrets(restored) });
    return restored;
  });
}

/** Returns null if the record has changed since it was read. */
async function unchanged(client: pg.ClientBase, before: ConfigRecord): Promise<ConfigRecord | null> {
  const { id, version, configVersion, registryVersion } = before;
  const rows = await run(client, IS_UNCHANGED, [id, version, configVersion, registryVersion]);
  return rows.length === 0 ? null : before;
}
