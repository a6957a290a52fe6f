import type { Clock } from '../kernel/clock.ts';
import type { Randomness } from '../kernel/randomness.ts';
import { acceptedTimes, type AcceptedTimes } from '../log/log-days.ts';
import type { MessageOrigin } from './message.ts';

/** The accepted times of messages, and defaults for the fields they omit. */
export interface MessageContext extends AcceptedTimes {
  /** The instance id for entries without one. */
  readonly instanceId: string;
  readonly newId: () => string;
  /** Returns the position of the current message in its source. */
  readonly position: () => number;
}

export interface MessageContextDependencies {
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly instanceId: string;
  readonly retentionDays: number;
}

/** Creates the context of one batch. The accepted times move on, so each batch needs a new context. */
export function messageContext({
  clock,
  randomness,
  instanceId,
  retentionDays,
}: MessageContextDependencies): MessageContext {
  return {
    ...acceptedTimes(clock.now(), retentionDays),
    instanceId,
    newId: () => randomness.uuid(),
    position: () => 0,
  };
}

/** An unparsed message, with the context to parse it in. */
export interface ArrivedMessage {
  readonly text: string;
  readonly origin: MessageOrigin;
  readonly context: MessageContext;
}
