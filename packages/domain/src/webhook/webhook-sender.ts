import type { AttemptOutcome } from './dispatch.ts';

/** Where dispatches go, and what signs them. */
export interface WebhookTarget {
  readonly url: string;
  /** The current secret, and old secrets that still sign dispatches. */
  readonly secrets: readonly string[];
}

export interface WebhookMessage {
  /** The id that receivers use to recognise repeated dispatches. */
  readonly id: string;
  readonly timestamp: Date;
  readonly payload: string;
}

export interface WebhookSender {
  /** Sends a message and waits for the response. Never rejects, and ends within `SEND_TIMEOUT_MS`. */
  send(target: WebhookTarget, message: WebhookMessage): Promise<AttemptOutcome>;
}

/** The time limit of an attempt, from the look-up of the name to the end of the response. */
export const SEND_TIMEOUT_MS = 15_000;
