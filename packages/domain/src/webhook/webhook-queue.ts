import type { AttemptOutcome, Delivery, Verdict } from './delivery.ts';
import type { WebhookTarget } from './webhook-sender.ts';
import type { DisabledReason } from '../vocabulary/vocabulary.ts';

/** A delivery that this worker attempts now. No other worker sends anything to the webhook until the lease ends. */
export interface ClaimedDelivery extends Pick<
  Delivery,
  'id' | 'webhookId' | 'type' | 'payload' | 'attempts'
> {
  readonly projectId: number;
  /** The time of the claim. */
  readonly at: Date;
  /** Identifies the claim among all claims of the webhook. */
  readonly claim: number;
  /** An error if it cannot be decrypted. */
  readonly target: WebhookTarget | Error;
  /** Since when all attempts of the webhook have failed; null if the last one succeeded. */
  readonly failingSince: Date | null;
}

/** What is stored about an attempt. */
export interface DeliverySettlement {
  readonly outcome: AttemptOutcome;
  readonly verdict: Verdict;
  /** Why the webhook is to be disabled; null if it is not. */
  readonly disable: DisabledReason | null;
}

export interface DeliveryBacklog {
  /** The pending deliveries of enabled webhooks, counted up to 100,000. */
  readonly pending: number;
  /** How long the webhook that has waited longest has been due. */
  readonly oldestDueMs: number;
}

/** The deliveries that are due. A delivery that is claimed and never settled is claimed again after its lease. */
export interface WebhookQueue {
  /**
   * Claims the next due delivery of each of up to `limit` webhooks, those that have waited longest first. Skips
   * disabled webhooks, and those with a delivery in flight.
   */
  claim(limit: number, leaseMs: number): Promise<readonly ClaimedDelivery[]>;
  /**
   * Stores the result of an attempt. Resolves to false, and stores nothing, if the claim is no longer current. A
   * delivery that was queued again in the meantime stays pending.
   */
  settle(delivery: ClaimedDelivery, settlement: DeliverySettlement): Promise<boolean>;
  /**
   * Disables the webhooks with more than `pendingMax` pending deliveries, as `failing`. These deliveries fail, so that
   * the webhook can be enabled again. Resolves to the ids of the webhooks.
   */
  disableOverloaded(pendingMax: number): Promise<readonly number[]>;
  backlog(): Promise<DeliveryBacklog>;
}

/** Webhooks with more pending deliveries are disabled, since their receivers will hardly catch up, one delivery at a time. */
export const PENDING_MAX = 100_000;

export interface QueuedChunk {
  readonly events: number;
  /** False if the limit of a chunk was reached, so more events may be left. */
  readonly isComplete: boolean;
}

/** Queues the events that are not queued by the transaction that causes them. */
export interface WebhookEvents {
  /**
   * Reads the next entries in the history of each family that a webhook subscribes to, one chunk per family, and queues
   * them in order. Each event is queued once.
   */
  queueRecordEvents(): Promise<QueuedChunk>;
  /** Queues an event for each project that has exceeded its log quota today, once a day. */
  queueQuotaEvents(): Promise<void>;
}
