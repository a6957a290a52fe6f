import type { Dispatch, Webhook } from '@plugin-config/domain';
import { WebhookDispatchRow, WebhookRow } from '../entities/webhook.row.ts';
import type { Columns } from '../postgres/columns.ts';
import { rowOf, type RowOf } from '../postgres/table.ts';
import type { StoredTarget } from './webhook-target.ts';

/** A webhook whose target is encrypted. */
export type StoredWebhook = RowOf<typeof WebhookRow>;

/** The columns of a webhook `w`. */
export const WEBHOOK = rowOf(WebhookRow, 'w');

export function webhookOf(
  { target: _target, accountId: _account, failingSince: _since, ...webhook }: StoredWebhook,
  { url }: StoredTarget,
): Webhook {
  return { ...webhook, url };
}

export const DISPATCH: Columns<Dispatch> = rowOf(WebhookDispatchRow, 'd', [
  'number',
  'projectId',
  'eventKey',
]);
