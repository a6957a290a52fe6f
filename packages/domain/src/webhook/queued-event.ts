import { OPERATOR, type Actor } from '../kernel/author.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { RecordRef } from '../project/family.ts';
import type { Activity, RecordEvent, WebhookEvent } from '../vocabulary/vocabulary.ts';

/** An event for the webhooks of a project. */
export interface QueuedEvent {
  /** Identifies the event within the project, such as `incident 7 opened`. Each webhook gets it once. */
  readonly key: string;
  readonly type: WebhookEvent;
  readonly at: Date;
  readonly data: JsonObject;
}

/** An entry in the history of a record. */
export interface RecordedChange {
  /** The id of the entry. */
  readonly id: number;
  readonly activity: Activity;
  readonly actor: Actor;
  readonly at: Date;
  readonly record: RecordRef;
  /** The current version of the record, which may be later than that of the entry. */
  readonly version: number;
}

export function recordEvent({ id, activity, actor, at, record, version }: RecordedChange): QueuedEvent {
  return {
    key: `activity ${id}`,
    type: typeOf(activity, actor),
    at,
    data: {
      project_id: record.projectId,
      family: record.family,
      record_id: record.id,
      version,
      activity,
      actor: { key_id: actor.keyId, label: actor.label },
    },
  };
}

function typeOf(activity: Activity, actor: Actor): RecordEvent {
  if (isAlert(actor)) return 'record.disabled_by_alert';
  if (activity === 'created') return 'record.created';
  return activity === 'deleted' ? 'record.deleted' : 'record.updated';
}

/** Alerts are the only actors without a key besides the operator. */
function isAlert({ keyId, label }: Actor): boolean {
  return keyId === null && label !== OPERATOR.label;
}

/** The event of a project that has exceeded its log quota on this day. */
export function quotaEvent(projectId: number, day: string, at: Date): QueuedEvent {
  return {
    key: `quota ${day}`,
    type: 'project.quota_reached',
    at,
    data: { project_id: projectId, day },
  };
}

/** The text that is sent and signed. */
export function payloadOf(type: string, at: Date, data: JsonObject): string {
  return JSON.stringify({ type, timestamp: at.toISOString(), data });
}
