import { attemptDispatch, type DispatchRunStore, type WebhookSender } from '@plugin-config/domain';
import type { Logger } from 'pino';
import type { RunTask } from '../loops/run-tasks.ts';

interface Dependencies {
  readonly dispatchRuns: DispatchRunStore;
  readonly webhookSender: WebhookSender;
  readonly webhookMeter: WebhookMeter;
  readonly logger: Logger;
}

export type AttemptResult = 'delivered' | 'retried' | 'failed';

export interface WebhookMeter {
  count(result: AttemptResult): void;
}

/** Returns a function that attempts to send an event. A receiver that does not respond in time is slow. */
export function runDispatchTask({
  dispatchRuns: runs,
  webhookSender: sender,
  webhookMeter,
  logger,
}: Dependencies): RunTask {
  return async (task) => {
    const dispatch = await runs.begin(task);
    if (dispatch === null) return { isSlow: false };
    const { webhookId, id, type, attempts: attempt } = dispatch;
    const { isStored, outcome, verdict, disable } = await attemptDispatch({ runs, sender }, dispatch);
    const result = typeof verdict === 'object' ? 'retried' : verdict;
    webhookMeter.count(result);
    const { status, error: reason, hasTimedOut } = outcome;
    logger.info(
      {
        webhook_id: webhookId,
        delivery_id: id,
        type,
        attempt,
        result,
        status,
        ...(reason !== null && { reason }),
      },
      'a webhook delivery was attempted',
    );
    if (disable !== null && isStored)
      logger.warn({ webhook_id: webhookId, reason: disable }, 'a webhook was disabled');
    return { isSlow: hasTimedOut };
  };
}
