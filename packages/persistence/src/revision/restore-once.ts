import {
  DomainError,
  tooManyChanges,
  type ConfigRecord,
  type RevisionStore,
  type IdempotencyKey,
  type Once,
  type RecordRef,
  type RestoredRecord,
} from '@plugin-config/domain';
import type pg from 'pg';
import { columns } from '../postgres/columns.ts';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { inTransactionWithin, lockTimeout } from '../postgres/in-transaction.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { TO_LOCK } from '../record/lock-family.ts';
import { INFO_OF_RECORD, OWNER, PLUGIN_VERSION, recordOfId } from '../record/record-columns.ts';
import { saveRecords } from '../record/save-records.ts';
import { keepResponse } from '../writing/keep-response.ts';

const KEPT = columns((row) => ({
  response: row.json('k.response') as KeptRestore,
  digest: row.text('k.digest'),
  origin: row.text('k.origin'),
  pluginInfo: row.textOrNull('k.info'),
  owner: row.all(OWNER),
  config: row.textOrNull('r.config'),
}));

/** A kept response, with dates as text. Leaves out the configuration and the plugin, which may become secret. */
interface KeptRestore {
  readonly record: Omit<RestoredRecord['record'], 'config' | 'pluginInfo' | 'createdAt' | 'updatedAt'> & {
    readonly createdAt: string;
    readonly updatedAt: string;
  };
  readonly missing: readonly string[];
}

const KEPT_RESTORE: Statement = {
  name: 'kept_restore',
  text: `select ${KEPT.sql} from (
    select k.*, (select p.info from plugin p where p.id = (k.response -> 'record' ->> 'plugin')::integer) as info
    from kept_response k where k.name = $1
  ) k
  join ${recordOfId('$2')} on true
  left join ${INFO_OF_RECORD} on true`,
};

const LOCK_RECORDS_FAMILY: Statement = {
  name: 'lock_records_family',
  text: `select from lock_for_batch(array[$1::integer], array[$2::bigint], array[$3::text], '{}', $4)`,
};

const IS_UNCHANGED: Statement = {
  name: 'is_unchanged',
  text: `select from config_record r left join plugin i on i.id = r.plugin
  where r.id = $1 and r.version = $2 and r.config_version = $3 and ${PLUGIN_VERSION} is not distinct from $4`,
};

export async function keptRestore(
  connection: pg.Pool | pg.ClientBase,
  { configurations }: Pick<EncryptedDatabase, 'configurations'>,
  { ref, key }: { readonly ref: Pick<RecordRef, 'id'>; readonly key: IdempotencyKey },
): Promise<Once<RestoredRecord> | null> {
  const [row] = await run(connection, KEPT_RESTORE, [key.name, ref.id]);
  if (row === undefined) return null;
  const { response, digest, origin, owner, pluginInfo, ...stored } = KEPT.read(row);
  const masker = await configurations.masker(connection, stored.config === null ? [] : [owner]);
  const config = masker.record(owner, stored.config);
  const { record, missing } = response;
  const dates = { createdAt: new Date(record.createdAt), updatedAt: new Date(record.updatedAt) };
  const value = { record: { ...record, ...dates, config, pluginInfo }, missing };
  return { value, digest, origin, isFirst: false };
}

type RestoreRequest = Parameters<RevisionStore['restoreOnce']>[0];

/** Locks the family first, so the second of two requests with the same key finds the response to the first. */
export function restoreOnce(
  { pool, configurations }: Pick<EncryptedDatabase, 'pool' | 'configurations'>,
  { before, write, missing, key, author, deadline }: RestoreRequest,
): Promise<Once<RestoredRecord> | null> {
  const { projectId, family, plugin } = before;
  return inTransactionWithin(pool, { deadline, begin: TO_LOCK }, async (client, within) => {
    const waitMs = deadline === undefined ? 0 : lockTimeout(deadline);
    await run(client, LOCK_RECORDS_FAMILY, [plugin, projectId, family, waitMs]);
    const earlier = await keptRestore(client, { configurations }, { ref: before, key });
    if (earlier !== null) return earlier;
    const [record] =
      write === null
        ? [await unchanged(client, before)]
        : await within(() => saveRecords(client, [write], { configurations, waitMs }));
    if (record === null) return null;
    if (record instanceof DomainError) throw record;
    if (typeof record !== 'object') throw tooManyChanges({ retryAfterSeconds: 1 });
    const { config: _config, pluginInfo: _pluginInfo, ...kept } = record;
    const response = { record: kept, missing };
    await keepResponse(client, { projectId, family, key, actor: author.actor, response });
    const { digest, origin } = key;
    return { value: { record, missing }, digest, origin, isFirst: true };
  });
}

/** Returns null if the record has changed since it was read. */
async function unchanged(client: pg.ClientBase, before: ConfigRecord): Promise<ConfigRecord | null> {
  const { id, version, configVersion, pluginVersion } = before;
  const rows = await run(client, IS_UNCHANGED, [id, version, configVersion, pluginVersion]);
  return rows.length === 0 ? null : before;
}
