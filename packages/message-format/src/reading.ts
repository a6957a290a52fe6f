import { logSpan, type Clock, type LogSpan, type Origin, type Randomness } from '@plugin-config/domain';

/** What messages are read with, for a moment. */
export interface Reading extends LogSpan {
  /** Of whoever reads, for entries that do not say whose they are. */
  readonly instanceId: string;
  readonly newId: () => string;
  /** Of the message that is read. */
  readonly position: () => number;
}

export interface ReadingDependencies {
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly instanceId: string;
  readonly retentionDays: number;
}

/** To be made anew for each batch: what is too old, and what too far ahead, moves on. */
export function readingNow({ clock, randomness, instanceId, retentionDays }: ReadingDependencies): Reading {
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
  readonly origin: Origin;
  readonly reading: Reading;
}
