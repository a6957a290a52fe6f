import type { Outcome } from './ingest-report.ts';
import type { MessageOrigin } from '../message/message.ts';

/** A message as its source hands it over. */
export interface SourceMessage {
  readonly text: string;
  readonly origin: MessageOrigin;
  /**
   * Where it stood among all that was taken in at this moment: a higher number came later. The same whenever that
   * message is delivered.
   */
  readonly position: number;
  /**
   * Makes up an id for a message that brings none: the same one whenever that message is delivered. Null where its
   * source cannot tell one delivery from another.
   */
  newId(): string | null;
}

/** Messages that are stored together. Each batch is either acknowledged or released, once. */
export interface SourceBatch {
  readonly messages: readonly SourceMessage[];
  /** They are stored, and this became of them, in their order: they need not be delivered again. */
  acknowledge(outcomes: readonly Outcome[]): Promise<void>;
  /** They are not stored, because of this: the source delivers them again, or tells their sender to. */
  release(reason: unknown): Promise<void>;
}

/** Tells that it is enough; an `AbortSignal` is one. */
export interface StopSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Where messages come from. */
export interface LogSource {
  /** What its messages name as their channel. */
  readonly channel: string;
  /**
   * The batches, as they arrive. Several may be out at a time; while nobody asks for the next one, the source takes
   * in no more than fits into its memory. Ends where there is nothing left to come, and soon after the signal is
   * aborted; until then it waits, reconnects, and throws only what it cannot mend by itself.
   */
  batches(signal: StopSignal): AsyncIterable<SourceBatch>;
}
