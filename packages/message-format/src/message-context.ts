import {
  acceptedTimes,
  type Clock,
  type AcceptedTimes,
  type MessageOrigin,
  type Randomness,
} from '@plugin-config/domain';

/** The accepted times of messages, and values for fields that a message leaves out. */
export interface MessageContext extends AcceptedTimes {
  /** The instance id of the reader, for entries without one. */
  readonly instanceId: string;
  readonly newId: () => string;
  /** The position of the current message in its source. */
  readonly position: () => number;
}

export interface ContextDependencies {
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
}: ContextDependencies): MessageContext {
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
