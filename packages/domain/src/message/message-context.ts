import type { Clock } from '../kernel/clock.ts';
import type { Randomness } from '../kernel/randomness.ts';
import { acceptedTimes, type AcceptedTimes } from '../log/log-days.ts';

/** The accepted times of messages, and defaults for the fields they omit. */
export interface MessageContext extends AcceptedTimes {
  /** The instance id for entries without one. */
  readonly instanceId: string;
  /** Generates the id of a message that has none, and whose source generates none. */
  readonly newId: () => string;
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
  };
}
