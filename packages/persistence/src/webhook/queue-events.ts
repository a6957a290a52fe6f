import { payloadOf, type QueuedEvent } from '@plugin-config/domain';
import type pg from 'pg';
import { run, type Statement } from '../postgres/statement.ts';

const QUEUE_EVENTS: Statement = {
  name: 'queue_webhook_events',
  text: 'select queue_dispatches(array_fill($1::bigint, array[cardinality($2::text[])]), $2, $3, $4, $5)',
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
    events.map(({ recordId }) => recordId),
  ]);
}
