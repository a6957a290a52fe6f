import { payloadOf, type QueuedEvent } from '@plugin-config/domain';
import type pg from 'pg';
import { prepared, run } from '../postgres/statement.ts';

const QUEUE_EVENTS = prepared('queue_webhook_events')`select queue_dispatches($1, $2, $3, $4, $5, $6)`;

/** Queues events for the webhooks of their projects and of all projects, in the caller's transaction. */
export async function queueEvents(client: pg.ClientBase, events: readonly QueuedEvent[]): Promise<void> {
  if (events.length === 0) return;
  await run(client, QUEUE_EVENTS, [
    events.map(({ projectId }) => projectId),
    events.map(({ key }) => key),
    events.map(({ type }) => type),
    events.map(({ type, at, data }) => payloadOf(type, at, data)),
    events.map(({ recordId }) => recordId),
    events.map(({ plugin }) => plugin ?? null),
  ]);
}
