import { setTimeout as sleep } from 'node:timers/promises';
import {
  attemptDelivery,
  SEND_TIMEOUT_MS,
  type ClaimedDelivery,
  type WebhookQueue,
  type WebhookSender,
} from '@plugin-config/domain';
import { logFailure } from '@plugin-config/server';
import type { Logger } from 'pino';
import { restartOnFailure } from '../loops/restart-on-failure.ts';

export interface DispatcherDependencies {
  readonly webhookQueue: WebhookQueue;
  readonly webhookSender: WebhookSender;
  readonly webhookMeter: WebhookMeter;
  readonly logger: Logger;
}

export type AttemptResult = 'delivered' | 'retried' | 'failed';

export interface WebhookMeter {
  count(result: AttemptResult): void;
}

/** The maximum number of attempts in flight. Each webhook has one, so this many must be slow before others wait. */
const SLOTS = 256;
const CLAIMED_AT_ONCE = 32;
/** The time that an attempt needs in addition to sending, to store the result. */
const MARGIN_MS = 15_000;
const PAUSE_MS = 500;
const STOP_AFTER_MS = 3_000;

/**
 * Polls for due deliveries and attempts them. Attempts that are still running soon after the signal is aborted are abandoned: they
 * are repeated after their lease.
 */
export async function dispatchWebhooks(
  dependencies: DispatcherDependencies,
  signal: AbortSignal,
): Promise<void> {
  const { webhookQueue, logger } = dependencies;
  const running = new Set<Promise<void>>();
  let ended = Promise.withResolvers<void>();
  const begin = (delivery: ClaimedDelivery): void => {
    const attempted = attempt(dependencies, delivery).finally(() => {
      running.delete(attempted);
      ended.resolve();
    });
    running.add(attempted);
  };
  const run = async (stopping: AbortSignal): Promise<void> => {
    while (!stopping.aborted) {
      ended = Promise.withResolvers();
      const limit = Math.min(SLOTS - running.size, CLAIMED_AT_ONCE);
      const claimed = limit > 0 ? await webhookQueue.claim(limit, SEND_TIMEOUT_MS + MARGIN_MS) : [];
      claimed.forEach(begin);
      if (claimed.length > 0) continue;
      await Promise.race([
        sleep(PAUSE_MS, undefined, { signal: stopping }).catch(() => undefined),
        ended.promise,
      ]);
    }
  };
  await restartOnFailure({ name: 'webhooks', logger, run }, signal);
  await Promise.race([Promise.all(running), sleep(STOP_AFTER_MS, undefined, { ref: false })]);
}

async function attempt(
  { webhookQueue: queue, webhookSender: sender, webhookMeter, logger }: DispatcherDependencies,
  delivery: ClaimedDelivery,
): Promise<void> {
  const about = {
    webhook_id: delivery.webhookId,
    delivery_id: delivery.id,
    type: delivery.type,
    attempt: delivery.attempts,
  };
  try {
    const { isStored, outcome, verdict, disable } = await attemptDelivery({ queue, sender }, delivery);
    const result = typeof verdict === 'object' ? 'retried' : verdict;
    webhookMeter.count(result);
    const { status, error: reason } = outcome;
    logger.info(
      { ...about, result, status, ...(reason !== null && { reason }) },
      'a webhook delivery was attempted',
    );
    if (disable !== null && isStored)
      logger.warn({ webhook_id: delivery.webhookId, reason: disable }, 'a webhook was disabled');
  } catch (error) {
    const message = 'the result of a webhook delivery could not be stored; it will be repeated';
    logFailure(logger, { error, message, about });
  }
}
