import { replacesConfiguration, type ConfigRecord, type RecordWrite } from '@plugin-config/domain';
import { ENTRY, entryValues } from '../writing/history-entries.ts';
import { columns } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import type { RowOf } from '../postgres/numbered-rows.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { locksOf } from '../writing/batch-locks.ts';
import { RECORD_CHANGE } from '../writing/record-values.ts';
import { changeOf } from './change-of.ts';
import { BUSY } from './store-writes.ts';

const SAVED = columns((row) => ({
  number: row.number('number'),
  busy: row.flag('busy'),
  error: row.textOrNull('error'),
  deliveryRate: row.textOrNull('delivery_rate'),
}));

type Saved = ReturnType<typeof SAVED.read>;

export const SAVE_RECORDS: Statement = {
  name: 'save_records',
  text: `select ${SAVED.sql} from save_config_records($1, $2, $3, $4, $5)`,
};

/** The columns that `save_config_records` reads. */
export const CHANGE = {
  id: 'bigint',
  project_id: 'bigint',
  family: 'text',
  family_number: 'integer',
  version: 'bigint',
  config_revision: 'bigint',
  plugin_revision: 'bigint',
  ...RECORD_CHANGE,
  ...ENTRY,
} as const;

/**
 * Stores the writes that are still valid, in one transaction. Returns the stored records, in the order of the writes.
 */
export async function saveRecords(
  { pool }: Pick<Database, 'pool'>,
  writes: readonly RecordWrite[],
  waitMs: number | null,
): Promise<readonly (ConfigRecord | null | typeof BUSY)[]> {
  const { locks, numberInBatch } = locksOf(
    writes.map(({ before, after }) => ({ ...before, plugin: after.plugin })),
  );
  const changes = writes.map((write) => rowOf(write, numberInBatch(write.before)));
  const rows = await run(pool, SAVE_RECORDS, [...locks, JSON.stringify(changes), waitMs]);
  const saved = new Map(rows.map((row) => SAVED.read(row)).map((row) => [row.number - 1, row]));
  return writes.map((write, i) => resultOf(write, saved.get(i)));
}

/** The stored record: all conditions were met, but reported values may have changed since. */
function resultOf(write: RecordWrite, row: Saved | undefined): ConfigRecord | null | typeof BUSY {
  if (row === undefined) return null;
  const { busy, error, deliveryRate } = row;
  if (busy) return BUSY;
  const { before, after } = write;
  const { id, projectId, family, createdAt, version } = before;
  const configRevision = before.configRevision + (replacesConfiguration(write) ? 1 : 0);
  const stored = { id, projectId, family, createdAt, version: version + 1, configRevision };
  return { ...after, ...stored, error, deliveryRate };
}

function rowOf(write: RecordWrite, familyNumber: number): RowOf<typeof CHANGE> {
  const { before, after, activity } = write;
  return {
    id: before.id,
    project_id: before.projectId,
    family: before.family,
    family_number: familyNumber,
    version: before.version,
    config_revision: before.configRevision,
    plugin_revision: after.pluginRevision,
    ...changeOf(write),
    ...entryValues(activity),
  };
}
