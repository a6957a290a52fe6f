import type { Task } from '../task/task-queue.ts';
import type { DisabledReason } from '../vocabulary/vocabulary.ts';
import type { AttemptOutcome, Dispatch, Verdict } from './dispatch.ts';
import type { WebhookTarget } from './webhook-sender.ts';

/** A dispatch that this worker attempts now. No other dispatch of its webhook and project is sent until the lease ends. */
export interface RunningDispatch extends Pick<
  Dispatch,
  'id' | 'webhookId' | 'type' | 'payload' | 'attempts'
> {
  readonly task: Task;
  /** When the attempt began. */
  readonly at: Date;
  /** An error if it cannot be decrypted. */
  readonly target: WebhookTarget | Error;
  /** Since when all attempts of the webhook have failed; null if the last one succeeded. */
  readonly failingSince: Date | null;
}

/** What is stored about an attempt. */
export interface DispatchSettlement {
  readonly outcome: AttemptOutcome;
  readonly verdict: Verdict;
  /** Why the webhook is to be disabled; null if it is not. */
  readonly disable: DisabledReason | null;
}

/** Dispatches as workers see them. Each has a task of the kind `dispatch` until it ends. */
export interface DispatchRunStore {
  /**
   * Counts an attempt. Resolves to null, and settles the task, if the webhook is deleted or disabled. The dispatches of a
   * disabled webhook wait until it is enabled.
   */
  begin(task: Task): Promise<RunningDispatch | null>;
  /**
   * Stores the result of an attempt, and settles its task. Resolves to false, and stores nothing, if the claim is no longer
   * current. A dispatch that was queued again in the meantime stays pending.
   */
  settle(dispatch: RunningDispatch, settlement: DispatchSettlement): Promise<boolean>;
}

/** Queues the events that are not queued by the transaction that causes them. */
export interface WebhookEvents {
  /** Queues an event for each project that has exceeded its log quota today, once a day. */
  queueQuotaEvents(): Promise<void>;
}
