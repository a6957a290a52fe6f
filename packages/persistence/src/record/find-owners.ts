import type { Family, Owner } from '@plugin-config/domain';
import type pg from 'pg';
import { columns } from '../postgres/columns.ts';
import { run, type Statement } from '../postgres/statement.ts';

const OWNER = columns((row) => ({
  id: row.number('id'),
  owner: {
    projectId: row.number('project_id'),
    family: row.text('family') as Family,
    plugin: row.number('plugin'),
  } satisfies Owner,
}));

const FIND_OWNERS: Statement = {
  name: 'find_record_owners',
  text: `select ${OWNER.sql} from config_record where id = any ($1::bigint[])`,
};

/** The owners of the existing records among these, by record id. */
export async function findOwners(
  client: pg.ClientBase,
  recordIds: readonly number[],
): Promise<ReadonlyMap<number, Owner>> {
  if (recordIds.length === 0) return new Map();
  const rows = await run(client, FIND_OWNERS, [recordIds]);
  return new Map(rows.map((row) => OWNER.read(row)).map(({ id, owner }) => [id, owner]));
}
