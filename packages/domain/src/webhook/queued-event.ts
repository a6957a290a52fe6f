import type { JsonObject } from '../kernel/json.ts';
import type { WebhookEvent } from '../vocabulary/vocabulary.ts';

/** An event for webhooks. A trigger queues events of records, since many statements change records. */
export interface QueuedEvent {
  /** `SERVICE` if it is about several projects. */
  readonly projectId: number;
  /** Identifies the event, such as `incident 7 opened`. Each webhook gets it once. */
  readonly key: string;
  readonly type: WebhookEvent;
  readonly at: Date;
  readonly data: JsonObject;
  /** The record that the event is about; null if it is not about one. */
  readonly recordId: number | null;
  /** The plugin that the event is about, if it is not about a record. */
  readonly plugin?: number;
}

/** The event of a project that has exceeded its log quota on this day. */
export function quotaEvent(projectId: number, day: string, at: Date): QueuedEvent {
  return {
    projectId,
    key: `quota ${projectId} ${day}`,
    type: 'project.quota_reached',
    at,
    data: { project_id: projectId, day },
    recordId: null,
  };
}

/** The text that is sent and signed. */
export function payloadOf(type: string, at: Date, data: JsonObject): string {
  return JSON.stringify({ type, timestamp: at.toISOString(), data });
}
