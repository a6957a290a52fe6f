import { PENDING_MAX, type WebhookEvents, type WebhookQueue } from '@plugin-config/domain';
import type { Logger } from 'pino';

interface Dependencies {
  readonly webhookEvents: WebhookEvents;
  readonly webhookQueue: WebhookQueue;
  readonly logger: Logger;
}

/** Queues the events of records until the worker has caught up or stops. */
export async function queueWebhookEvents(
  { webhookEvents }: Dependencies,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && !(await webhookEvents.queueRecordEvents()).isComplete);
}

/** Disables webhooks that have fallen too far behind. */
export async function disableOverloaded({ webhookQueue, logger }: Dependencies): Promise<void> {
  for (const id of await webhookQueue.disableOverloaded(PENDING_MAX)) {
    logger.warn({ webhook_id: id, reason: 'failing' }, 'a webhook was disabled');
  }
}
