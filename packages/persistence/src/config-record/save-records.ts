import type { ConfigRecord, RecordWrite } from '@plugin-config/domain';
import { numberAt } from '../cells.ts';
import type { Database } from '../database.ts';
import { run, type Statement } from '../statement.ts';
import { RECORD_COLUMNS, recordAt } from './record-columns.ts';
import { writeSecrets } from './sealed-secrets.ts';

export const SAVE_RECORDS: Statement = {
  name: 'save_records',
  text: `select s.number, ${RECORD_COLUMNS}
  from save_config_records($1) s,
  lateral (select (s.saved).*) r,
  lateral (select s.plugin_info as info) i`,
};

/** Stores what still can be, all in one transaction: the records as they are now, in the order of the writes. */
export async function saveRecords(
  { pool }: Pick<Database, 'pool'>,
  writes: readonly RecordWrite[],
): Promise<readonly (ConfigRecord | null)[]> {
  const rows = await run(pool, SAVE_RECORDS, [JSON.stringify(writes.map(changeOf))]);
  const saved = new Map(rows.map((row) => [numberAt(row, 0) - 1, row]));
  return writes.map((_, i) => {
    const row = saved.get(i);
    return row === undefined ? null : recordAt(row, 1);
  });
}

function changeOf({ before, after, activity, secrets }: RecordWrite): object {
  return {
    id: before.id,
    project_id: before.projectId,
    family: before.family,
    version: before.version,
    known_config: before.config,
    plugin_info: after.pluginInfo,
    plugin: after.plugin,
    enabled: after.enabled,
    position: after.order,
    name: after.name,
    description: after.description,
    deleted: after.deleted,
    config: after.config === before.config ? null : after.config,
    secrets: secrets === undefined ? null : writeSecrets(secrets),
    updated_at: after.updatedAt,
    activity: activity.activity,
    at: activity.at,
    actor_key_id: activity.actor.keyId,
    actor_label: activity.actor.label,
    request_id: activity.requestId,
    told: JSON.stringify(activity.changes),
  };
}
