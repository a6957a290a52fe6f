import type { Family, Owner } from '@plugin-config/domain';
import type pg from 'pg';
import { columns } from '../postgres/columns.ts';
import { prepared, run } from '../postgres/statement.ts';

const OWNER = columns((row) => ({
  id: row.number('r.id'),
  owner: {
    projectId: row.number('r.project_id'),
    family: row.text('r.family') as Family,
    plugin: row.number('r.plugin'),
    logQuota: {
      entriesPerDay: row.numberOrNull('p.log_entries_per_day'),
      bytesPerDay: row.numberOrNull('p.log_bytes_per_day'),
    },
  } satisfies Owner,
  isFollowed: row.flag('exists (select from log_follow f where f.record_id = r.id)'),
}));

const FIND_OWNERS = prepared('find_record_owners')`
  select ${OWNER.sql} from config_record r join project p on p.id = r.project_id where r.id = any ($1::bigint[])`;

export interface FoundOwners {
  /** The owners of the existing records, by record id. */
  readonly owners: ReadonlyMap<number, Owner>;
  /** The existing records whose log is not followed. */
  readonly unfollowed: ReadonlySet<number>;
}

export async function findOwners(client: pg.ClientBase, recordIds: readonly number[]): Promise<FoundOwners> {
  const owners = new Map<number, Owner>();
  const unfollowed = new Set<number>();
  if (recordIds.length === 0) return { owners, unfollowed };
  for (const row of await run(client, FIND_OWNERS, [recordIds])) {
    const { id, owner, isFollowed } = OWNER.read(row);
    owners.set(id, owner);
    if (!isFollowed) unfollowed.add(id);
  }
  return { owners, unfollowed };
}
