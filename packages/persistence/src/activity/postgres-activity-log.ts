import type { ActivityEntry, ActivityLog } from '@plugin-config/domain';
import type { Database } from '../database.ts';
import { translated } from '../translate-error.ts';
import { ActivityRow } from './activity.row.ts';

export function postgresActivityLog({ orm }: Pick<Database, 'orm'>): ActivityLog {
  return {
    page: ({ projectId, family, id }, { limit, offset }) =>
      translated(async () => {
        const where = { record: { id, family: { project: projectId, family } } };
        const options = { limit, offset, orderBy: { id: 'desc' } } as const;
        const [rows, count] = await orm.em.fork().findAndCount(ActivityRow, where, options);
        return { count, items: rows.map(entryOf) };
      }),
  };
}

function entryOf({
  id,
  activity,
  createdAt,
  actorKeyId,
  actorLabel,
  requestId,
  changes,
  more,
}: ActivityRow): ActivityEntry {
  const actor = { keyId: actorKeyId, label: actorLabel };
  return { id, activity, at: createdAt, actor, requestId, changes, ...(more > 0 && { more }) };
}
