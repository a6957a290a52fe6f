import {
  CHANGES_OF_RECORD,
  quotaEvent,
  recordEvent,
  type Activity,
  type Family,
  type FamilyRef,
  type QueuedChunk,
  type RecordedChange,
  type WebhookEvents,
} from '@plugin-config/domain';
import type pg from 'pg';
import { columns } from '../postgres/columns.ts';
import type { StoreDatabase } from '../postgres/database.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { BEGIN_ROW_BY_ROW } from '../postgres/plans.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { queueEvents } from './queue-events.ts';
import { SUBSCRIBES_TO_RECORDS } from './webhook-columns.ts';

/** The limits of one call: families, and entries of each. */
const CHUNK = { families: 100, entries: 500 };
/** Later changes wait in the history while each webhook of their project has this many due deliveries, and delivers them. */
const BACKLOG = 500;

const FAMILY = columns((row): FamilyRef => ({
  projectId: row.number('c.project_id'),
  family: row.text('c.family') as Family,
}));

/**
 * Finds the families that have changed since their cursor, after a given one, and a webhook that has caught up or is failing. A
 * failing one may be disabled before it catches up, which would drop the changes that wait.
 */
export const CHANGED_FAMILIES: Statement = {
  name: 'changed_families_of_webhooks',
  text: `select ${FAMILY.sql}
  from webhook_cursor c
  cross join lateral (
    select from config_family f
    where f.project_id = c.project_id and f.family = c.family and f.family_version > c.family_version limit 1
  ) f
  cross join lateral (
    select from webhook w
    where w.project_id = c.project_id and ${SUBSCRIBES_TO_RECORDS} and (w.failing_since is not null or not exists (
      select from webhook_delivery d where d.webhook_id = w.id and d.due_at <= statement_timestamp() offset ${BACKLOG - 1}
    ))
    limit 1
  ) w
  where (c.project_id, c.family) > ($1, $2)
  order by c.project_id, c.family limit ${CHUNK.families}`,
};

const CURSOR = columns((row) => ({
  familyVersion: row.number('c.family_version'),
  activityId: row.number('c.activity_id'),
}));

/** Another worker that holds the cursor queues the same entries. */
const LOCK_CURSOR: Statement = {
  name: 'lock_webhook_cursor',
  text: `select ${CURSOR.sql} from webhook_cursor c
  where c.project_id = $1 and c.family = $2 for no key update skip locked`,
};

const CHANGES = CHANGES_OF_RECORD.map((activity) => `'${activity}'`).join(', ');

const ENTRY = columns((row): Omit<RecordedChange, 'record'> & { readonly recordId: number } => ({
  id: row.number('a.id'),
  activity: row.text('a.activity') as Activity,
  actor: { keyId: row.numberOrNull('a.actor_key_id'), label: row.text('a.actor_label') },
  at: row.date('a.created_at'),
  recordId: row.number('a.record_id'),
  version: row.number('a.version'),
}));

const READ = columns((row) => ({
  familyVersion: row.number('f.family_version'),
  entry: row.allOrNull(ENTRY),
}));

/**
 * Reads the family version and the entries after the cursor in one snapshot. The history has no index by family, so the records
 * that have changed lead to them.
 */
export const READ_CHANGES: Statement = {
  name: 'read_changes_for_webhooks',
  text: `select ${READ.sql}
  from config_family f
  left join lateral (
    select e.*, r.version
    from config_record r
    cross join lateral (
      select a.* from activity a where a.record_id = r.id and a.id > $4 and a.activity in (${CHANGES})
      order by a.id limit ${CHUNK.entries + 1}
    ) e
    where r.project_id = f.project_id and r.family = f.family and r.family_version > $3
    order by e.id limit ${CHUNK.entries + 1}
  ) a on true
  where f.project_id = $1 and f.family = $2
  order by a.id`,
};

const MOVE_CURSOR: Statement = {
  name: 'move_webhook_cursor',
  text: `update webhook_cursor set family_version = $3, activity_id = $4 where project_id = $1 and family = $2`,
};

const OVER_QUOTA = columns((row) => ({
  projectId: row.number('w.project_id'),
  day: row.text('u.day::text'),
  at: row.date('statement_timestamp()::timestamptz(3)'),
}));

/** Finds the projects whose webhooks do not have today's event yet. */
const FIND_OVER_QUOTA: Statement = {
  name: 'find_projects_over_quota',
  text: `select distinct ${OVER_QUOTA.sql}
  from webhook w
  join log_usage u on u.project_id = w.project_id and u.day = (now() at time zone 'UTC')::date and u.over_quota > 0
  where w.enabled and 'project.quota_reached' = any (w.events)
    and not exists (select from webhook_delivery d where d.webhook_id = w.id and d.event_key = 'quota ' || u.day)`,
};

const START: FamilyRef = { projectId: 0, family: 'plugin_configs' };

/** Continues after the last family if a call could not read them all, so low ids have no advantage. */
export function postgresWebhookEvents({ pool }: Pick<StoreDatabase, 'pool'>): WebhookEvents {
  let next = START;
  return {
    queueRecordEvents: async () => {
      const start = next;
      const rows = await run(pool, CHANGED_FAMILIES, [start.projectId, start.family]);
      const families = rows.map((row) => FAMILY.read(row));
      const lastOfChunk = families[CHUNK.families - 1];
      next = lastOfChunk ?? START;
      let [events, isComplete] = [0, start === START && lastOfChunk === undefined];
      await forEach(families, async (family) => {
        const chunk = await inTransaction(pool, BEGIN_ROW_BY_ROW, (client) => queueChanges(client, family));
        events += chunk.events;
        isComplete &&= chunk.isComplete;
      });
      return { events, isComplete };
    },

    queueQuotaEvents: async () => {
      const exceeded = (await run(pool, FIND_OVER_QUOTA, [])).map((row) => OVER_QUOTA.read(row));
      await forEach(exceeded, ({ projectId, day, at }) =>
        inTransaction(pool, 'begin', (client) =>
          queueEvents(client, projectId, [quotaEvent(projectId, day, at)]),
        ),
      );
    },
  };
}

/** Runs the work for each item in turn, so that a failure does not stop the others. Finally rejects with the first error. */
async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const errors: unknown[] = [];
  for (const item of items) await work(item).catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}

/** Queues the next entries of a family, and moves its cursor in the same transaction. */
async function queueChanges(client: pg.ClientBase, family: FamilyRef): Promise<QueuedChunk> {
  const ref = [family.projectId, family.family];
  const [locked] = await run(client, LOCK_CURSOR, ref);
  if (locked === undefined) return { events: 0, isComplete: true };
  const cursor = CURSOR.read(locked);
  const rows = await run(client, READ_CHANGES, [...ref, cursor.familyVersion, cursor.activityId]);
  const read = rows.map((row) => READ.read(row));
  const found = read.flatMap(({ entry }) => entry ?? []);
  const entries = found.slice(0, CHUNK.entries);
  const changes = entries.map(({ recordId, ...entry }) => ({
    ...entry,
    record: { ...family, id: recordId },
  }));
  await queueEvents(client, family.projectId, changes.map(recordEvent));
  // The remaining entries are found by the same records.
  const isComplete = found.length <= CHUNK.entries;
  const familyVersion = isComplete ? (read[0]?.familyVersion ?? cursor.familyVersion) : cursor.familyVersion;
  await run(client, MOVE_CURSOR, [...ref, familyVersion, entries.at(-1)?.id ?? cursor.activityId]);
  return { events: entries.length, isComplete };
}
