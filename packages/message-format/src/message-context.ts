import {
  logSpan,
  type Clock,
  type LogSpan,
  type MessageOrigin,
  type Randomness,
} from '@plugin-config/domain';

/** What messages are read with, for a moment. */
export interface MessageContext extends LogSpan {
  /** Of whoever reads, for entries that do not say whose they are. */
  readonly instanceId: string;
  readonly newId: () => string;
  /** Of the message that is read. */
  readonly position: () => number;
}

export interface ContextDependencies {
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly instanceId: string;
  readonly retentionDays: number;
}

/** To be made anew for each batch: what is too old, and what too far ahead, moves on. */
export function messageContext({
  clock,
  randomness,
  instanceId,
  retentionDays,
}: ContextDependencies): MessageContext {
  return {
    ...logSpan(clock.now(), retentionDays),
    instanceId,
    newId: () => randomness.uuid(),
    position: () => 0,
  };
}

/** A message on its way in. */
export interface Arrival {
  readonly text: string;
  readonly origin: MessageOrigin;
  readonly context: MessageContext;
}
