import type { Family, Owner } from '@plugin-config/domain';
import type pg from 'pg';
import { numberAt, textAt } from '../postgres/cells.ts';
import { run, type Statement } from '../postgres/statement.ts';

const FIND_OWNERS: Statement = {
  name: 'find_record_owners',
  text: 'select id, project_id, family, plugin from config_record where id = any ($1::bigint[])',
};

/** By their ids, the owners of those of these records that exist. */
export async function findOwners(
  client: pg.ClientBase,
  recordIds: readonly number[],
): Promise<ReadonlyMap<number, Owner>> {
  if (recordIds.length === 0) return new Map();
  const rows = await run(client, FIND_OWNERS, [recordIds]);
  return new Map(
    rows.map((row) => [
      numberAt(row, 0),
      { projectId: numberAt(row, 1), family: textAt(row, 2) as Family, plugin: numberAt(row, 3) },
    ]),
  );
}
