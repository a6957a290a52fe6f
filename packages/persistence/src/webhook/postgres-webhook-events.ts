import { quotaEvent, SERVICE, type WebhookEvents } from '@plugin-config/domain';
import { columns } from '../postgres/columns.ts';
import type { StoreDatabase } from '../postgres/database.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { prepared, run } from '../postgres/statement.ts';
import { lockProject } from '../writing/lock-project.ts';
import { queueEvents } from './queue-events.ts';

const OVER_QUOTA = columns((row) => ({
  projectId: row.number('u.project_id'),
  day: row.text('u.day::text'),
  at: row.date('statement_timestamp()::timestamptz(3)'),
}));

/** Finds the projects whose webhooks do not have today's event yet. */
const FIND_OVER_QUOTA = prepared('find_projects_over_quota')`select distinct ${OVER_QUOTA.sql}
  from log_usage u
  join webhook w on w.project_id in (${SERVICE}, u.project_id)
  where u.day = (now() at time zone 'UTC')::date and u.over_quota > 0
    and w.enabled and w.paused_at is null and w.plugin is null and 'project.quota_reached' = any (w.events)
    and not exists (
      select from webhook_dispatch d where d.webhook_id = w.id and d.event_key = 'quota ' || u.project_id || ' ' || u.day
    )`;

export function postgresWebhookEvents({ pool }: Pick<StoreDatabase, 'pool'>): WebhookEvents {
  return {
    queueQuotaEvents: async () => {
      const exceeded = (await run(pool, FIND_OVER_QUOTA, [])).map((row) => OVER_QUOTA.read(row));
      for (const { projectId, day, at } of exceeded) {
        await inTransaction(pool, 'begin', async (client) => {
          if (await lockProject(client, projectId))
            await queueEvents(client, [quotaEvent(projectId, day, at)]);
        });
      }
    },
  };
}
