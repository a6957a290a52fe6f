import { FAMILIES } from '@plugin-config/domain';
import type pg from 'pg';
import { run, type Statement } from '../postgres/statement.ts';
import { lockFamilies } from '../writing/lock-families.ts';
import { SUBSCRIBES_TO_RECORDS } from './webhook-columns.ts';

const PLACE_CURSORS: Statement = {
  name: 'place_webhook_cursors',
  text: `with wanting as (
    select $1::bigint as project_id
    where exists (select from webhook w where w.project_id = $1 and ${SUBSCRIBES_TO_RECORDS})
  ),
  unwanted as (
    delete from webhook_cursor c where c.project_id = $1 and not exists (select from wanting)
  )
  insert into webhook_cursor (project_id, family, family_version, activity_id)
  select f.project_id, f.family, f.family_version, coalesce((select max(a.id) from activity a), 0)
  from config_family f join wanting w on w.project_id = f.project_id
  on conflict (project_id, family) do nothing`,
};

const LOCK_CURSORS: Statement = {
  name: 'lock_webhook_cursors',
  text: 'select from webhook_cursor where project_id = $1 order by family for no key update',
};

/**
 * Locks what `placeCursors` needs: the families of a project, in the same order as all writers, then its cursors. Webhooks are locked
 * after them. Returns false if the project is deleted.
 */
export async function lockCursors(client: pg.ClientBase, projectId: number): Promise<boolean> {
  const families = FAMILIES.map((family) => ({ projectId, family }));
  const exists = await lockFamilies(client, families);
  await run(client, LOCK_CURSORS, [projectId]);
  return exists;
}

/**
 * Starts to read the histories of a project if one of its webhooks now subscribes to record events, and stops if none does.
 * Since the families are locked, all later entries have higher ids than the existing ones.
 */
export async function placeCursors(client: pg.ClientBase, projectId: number): Promise<void> {
  await run(client, PLACE_CURSORS, [projectId]);
}
