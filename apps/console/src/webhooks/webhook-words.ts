import type { Webhook, WebhookDelivery, WebhookEvent } from '@plugin-config/client';

export const EVENTS: Readonly<Record<WebhookEvent, string>> = {
  'incident.opened': 'An incident opens',
  'incident.closed': 'An incident closes',
  'record.created': 'A plugin is attached',
  'record.updated': 'A record changes',
  'record.deleted': 'A record is deleted',
  'record.disabled_by_alert': 'An alert disables a record',
  'project.quota_reached': 'The daily log quota is reached',
  'plugin.deprecated': 'A version of a plugin is deprecated',
};

/** Why the service disabled a webhook, and what to do. */
export const DISABLED: Readonly<Record<NonNullable<Webhook['disabled_reason']>, string>> = {
  gone: 'The receiver responded with 410 Gone, so the webhook was disabled. Enable it once the receiver is back.',
  failing:
    'Nothing could be delivered for five days, so the webhook was disabled. Fix the receiver, then enable it.',
};

/** Why a webhook gets no events. */
export const PAUSED =
  'Too many deliveries are waiting, so the webhook gets no new events until half of them have ended.';

/** Summarises the events of a webhook. */
export function eventsText(events: readonly WebhookEvent[]): string {
  const all = Object.keys(EVENTS).length;
  if (events.length === all) return 'All events';
  return events.join(', ');
}

/** Describes the attempts of a dispatch and the last response. */
export function attemptsText({
  attempts,
  status,
  error,
}: Pick<WebhookDelivery, 'attempts' | 'status' | 'error'>): string {
  if (attempts === 0) return 'waiting to be sent';
  const count = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  if (status !== null) return `${count}, status ${status}`;
  return error === null ? `${count}, sending` : `${count}, no response`;
}
