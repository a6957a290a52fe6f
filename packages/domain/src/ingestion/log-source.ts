import type { Outcome } from './ingest-report.ts';
import type { StopSignal } from '@plugin-config/flow';
import type { Message, MessageOrigin } from '../message/message.ts';

/** A message as the source delivers it. */
export interface SourceMessage {
  readonly text: string;
  readonly origin: MessageOrigin;
  /**
   * The position among the messages received at the same moment: a higher number came later. Equal for each delivery of
   * the message.
   */
  readonly position: number;
  /**
   * Generates an id for a message without one, equal for each delivery of the message. Null if the source cannot
   * recognise a repeated delivery.
   */
  newId(): string | null;
}

/** Messages that are stored together. Each batch is acknowledged or released exactly once. */
export interface SourceBatch {
  readonly messages: readonly SourceMessage[];
  /** Ends the batch as stored, with the outcomes of its messages in order, and with what was read of them. */
  acknowledge(outcomes: readonly Outcome[], read?: readonly Message[]): Promise<void>;
  /** Ends the batch as not stored, with the reason. The source delivers the messages again, or asks their sender to. */
  release(reason: unknown): Promise<void>;
}

/** A source of messages. */
export interface LogSource {
  /** The channel in the origin of its messages. */
  readonly channel: string;
  /**
   * Yields batches as they arrive. Several may be in progress at a time; until the next one is requested, the source
   * buffers a bounded amount. Ends when no message can follow, and soon after the signal is aborted. Waits and
   * reconnects by itself, and throws only errors that it cannot recover from.
   */
  batches(signal: StopSignal): AsyncIterable<SourceBatch>;
}
