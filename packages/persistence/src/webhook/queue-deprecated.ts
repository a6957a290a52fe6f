import { deprecatedEvent, SERVICE, type PluginVersion } from '@plugin-config/domain';
import type pg from 'pg';
import { numberAt } from '../postgres/columns.ts';
import { prepared, run } from '../postgres/statement.ts';
import { queueEvents } from './queue-events.ts';

/** Finds the projects with a webhook for the event and a live record that follows the version, and delays their deletion. */
const FIND_PROJECTS = prepared('find_projects_of_deprecated')`select p.id from project p
  where p.id in (
    select w.project_id from webhook w
    where w.enabled and w.paused_at is null and 'plugin.deprecated' = any (w.events)
      and (w.plugin is null or w.plugin = $1)
  ) and exists (
    select from config_record r
    where r.plugin = $1 and r.project_id = p.id and not r.deleted
      and case when r.pinned_version is null then r.schema_version = $2 else r.pinned_version = $3 end
  )
  order by p.id for key share of p`;

/** Queues the event of a version that has become deprecated: one for each of these projects, and one for all projects. */
export async function queueDeprecated(
  client: pg.ClientBase,
  plugin: number,
  version: PluginVersion,
  at: Date,
): Promise<void> {
  const rows = await run(client, FIND_PROJECTS, [plugin, version.schemaVersion, version.version]);
  const projectIds = [SERVICE, ...rows.map((row) => numberAt(row, 0))];
  await queueEvents(
    client,
    projectIds.map((projectId) => deprecatedEvent(projectId, plugin, version, at)),
  );
}
