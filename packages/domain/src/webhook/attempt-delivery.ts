import { afterAttempt, reasonToDisable, type AttemptOutcome } from './delivery.ts';
import type { ClaimedDelivery, DeliverySettlement, WebhookQueue } from './webhook-queue.ts';
import type { WebhookSender } from './webhook-sender.ts';

interface Dependencies {
  readonly queue: Pick<WebhookQueue, 'settle'>;
  readonly sender: WebhookSender;
}

interface AttemptReport extends DeliverySettlement {
  /** False if the claim was no longer current. Another worker attempts the delivery. */
  readonly isStored: boolean;
}

/** Sends a claimed delivery, decides what happens next, and stores the result. */
export async function attemptDelivery(
  { queue, sender }: Dependencies,
  delivery: ClaimedDelivery,
): Promise<AttemptReport> {
  const outcome = await outcomeOf(sender, delivery);
  const settlement = {
    outcome,
    verdict: afterAttempt(delivery.attempts, outcome),
    disable: reasonToDisable(outcome, delivery.failingSince, delivery.at),
  };
  return { ...settlement, isStored: await queue.settle(delivery, settlement) };
}

function outcomeOf(
  sender: WebhookSender,
  { target, id, at, payload }: ClaimedDelivery,
): Promise<AttemptOutcome> | AttemptOutcome {
  if (target instanceof Error) {
    return { status: null, error: 'The URL could not be decrypted.', response: null, retryAfterMs: null };
  }
  return sender.send(target, { id: `msg_${id}`, timestamp: at, payload });
}
