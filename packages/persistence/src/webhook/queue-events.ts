import { payloadOf, type QueuedEvent } from '@plugin-config/domain';
import type pg from 'pg';
import { run, type Statement } from '../postgres/statement.ts';

/**
 * Adds a delivery for each enabled webhook that subscribes to the event. Locks these webhooks until the transaction ends, so a
 * transaction that computes when one is next due waits, and sees the new deliveries.
 */
export const QUEUE_EVENTS: Statement = {
  name: 'queue_webhook_events',
  text: `with wanted as materialized (
    select w.id, w.events from webhook w
    where w.project_id = $1 and w.enabled and w.events && $3::text[]
    order by w.id for no key update
  ),
  queued as (
    insert into webhook_delivery (project_id, webhook_id, event_key, type, payload, created_at, due_at)
    select $1, w.id, e.key, e.type, e.payload, statement_timestamp(), statement_timestamp()
    from wanted w
    join unnest($2::text[], $3::text[], $4::text[]) with ordinality e (key, type, payload, number) on e.type = any (w.events)
    order by w.id, e.number
    on conflict (webhook_id, event_key) do nothing
    returning webhook_id
  )
  update webhook w set due_at = least(w.due_at, statement_timestamp())
  where w.id = any (array(select q.webhook_id from queued q))`,
};

/** Queues events for the webhooks of a project in the caller's transaction. Does nothing without webhooks. */
export async function queueEvents(
  client: pg.ClientBase,
  projectId: number,
  events: readonly QueuedEvent[],
): Promise<void> {
  if (events.length === 0) return;
  await run(client, QUEUE_EVENTS, [
    projectId,
    events.map(({ key }) => key),
    events.map(({ type }) => type),
    events.map(({ type, at, data }) => payloadOf(type, at, data)),
  ]);
}
