import type {
  Dispatch,
  DispatchState,
  DispatchType,
  DisabledReason,
  Webhook,
  WebhookEvent,
} from '@plugin-config/domain';
import type { Ciphertext } from '../configuration/ciphertext.ts';
import { columns } from '../postgres/columns.ts';
import type { StoredTarget } from './webhook-target.ts';

/** A webhook whose target is encrypted. */
export interface StoredWebhook extends Omit<Webhook, 'url'> {
  readonly target: Ciphertext;
}

/** The columns of a webhook `w`. */
export const WEBHOOK = columns((row): StoredWebhook => ({
  id: row.number('w.id'),
  projectId: row.number('w.project_id'),
  target: row.text('w.target'),
  events: row.json('array_to_json(w.events)') as readonly WebhookEvent[],
  enabled: row.flag('w.enabled'),
  disabledReason: row.textOrNull('w.disabled_reason') as DisabledReason | null,
  version: row.number('w.version'),
  createdAt: row.date('w.created_at'),
  updatedAt: row.date('w.updated_at'),
  lastDeliveredAt: row.dateOrNull('w.last_delivered_at'),
  pausedAt: row.dateOrNull('w.paused_at'),
}));

export function webhookOf({ target: _target, ...stored }: StoredWebhook, { url }: StoredTarget): Webhook {
  return { ...stored, url };
}

/** The columns of a delivery `d`. */
export const DISPATCH = columns((row): Dispatch => ({
  id: row.text('d.id'),
  webhookId: row.number('d.webhook_id'),
  type: row.text('d.type') as DispatchType,
  payload: row.text('d.payload'),
  state: row.text('d.state') as DispatchState,
  attempts: row.number('d.attempts'),
  createdAt: row.date('d.created_at'),
  dueAt: row.dateOrNull('d.due_at::timestamptz(3)'),
  finishedAt: row.dateOrNull('d.finished_at'),
  lastStatus: row.numberOrNull('d.last_status'),
  lastError: row.textOrNull('d.last_error'),
  lastResponse: row.textOrNull('d.last_response'),
}));
