import type { Outcome } from './ingest-report.ts';
import type { StopSignal } from '@plugin-config/flow';
import type { Message, SourceMessage } from '../message/message.ts';

/** Messages to store together. Each batch is acknowledged or released exactly once. */
export interface SourceBatch {
  readonly messages: readonly SourceMessage[];
  /** Ends the batch as stored, with the outcomes of its messages in order, and the parsed messages. */
  acknowledge(outcomes: readonly Outcome[], read?: readonly Message[]): Promise<void>;
  /**
   * Ends the batch as not stored, with the reason. The source delivers the messages again, or has their sender do so.
   */
  release(reason: unknown): Promise<void>;
}

export interface LogSource {
  /** The channel in the origin of its messages. */
  readonly channel: string;
  /**
   * Yields batches as they arrive. Several may be in progress at a time; until the next one is requested, the source
   * buffers a bounded amount. Ends when no more messages can follow, and soon after the signal is aborted. Waits and
   * reconnects on its own, and throws only unrecoverable errors.
   */
  batches(signal: StopSignal): AsyncIterable<SourceBatch>;
}
