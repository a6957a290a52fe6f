import type { Clock } from '../kernel/clock.ts';
import type { Randomness } from '../kernel/randomness.ts';
import { acceptedTimes, type AcceptedTimes } from '../log/log-days.ts';
import type { MessageOrigin } from './message.ts';

/** The accepted times of messages, and values for fields that a message leaves out. */
export interface MessageContext extends AcceptedTimes {
  /** The instance id of the reader, for entries without one. */
  readonly instanceId: string;
  readonly newId: () => string;
  /** The position of the current message in its source. */
  readonly position: () => number;
}

export interface MessageContextDependencies {
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly instanceId: string;
  readonly retentionDays: number;
}

/** Makes a context. Each batch needs a new one, because the accepted times move on. */
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

/** A message that is not read yet, with the context to read it. */
export interface ArrivedMessage {
  readonly text: string;
  readonly origin: MessageOrigin;
  readonly context: MessageContext;
}
