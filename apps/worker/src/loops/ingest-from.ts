import {
  ingest,
  type IngestionStores,
  type LogQuota,
  type LogSource,
  ingestReport,
  messageContext,
  type Message,
  type MessageContext,
  type MessageContextDependencies,
  type Outcome,
  readMessage,
  type SourceBatch,
  type SourceMessage,
} from '@plugin-config/domain';
import { backOff, readingPauses } from '@plugin-config/flow/node';
import { logFailure } from '@plugin-config/server';
import { inSpan, type Span, type SpanOptions } from '@plugin-config/tracing';
import type { Logger } from 'pino';

export interface IngestMeter {
  observe(channel: string, outcomes: readonly Outcome[], seconds: number): void;
}

export interface IngestDependencies extends MessageContextDependencies {
  /** The default quota of projects. Without it, there is no limit. */
  readonly logQuota?: LogQuota;
  readonly stores: IngestionStores;
  readonly meter: IngestMeter;
  readonly logger: Logger;
}

/** A batch with the spans of its senders, if the source knows them. */
export interface TracedBatch extends SourceBatch {
  readonly senders?: readonly Span[];
}

const BATCHES_IN_FLIGHT = 3;

/** Stores the batches of the source until it ends. Resolves once all batches in flight are stored and acknowledged. */
export async function ingestFrom(
  source: LogSource,
  dependencies: IngestDependencies,
  signal: AbortSignal,
): Promise<void> {
  const wait = backOff();
  const storing = new Set<Promise<void>>();
  let waiting = Promise.resolve();
  const store = async (batch: TracedBatch): Promise<void> => {
    const stored = await storeBatch(source.channel, dependencies, batch);
    if (!stored) waiting = wait(signal);
  };
  try {
    for await (const batch of source.batches(signal)) {
      const stored = store(batch).finally(() => storing.delete(stored));
      storing.add(stored);
      if (storing.size === BATCHES_IN_FLIGHT) await Promise.race(storing);
      await waiting;
    }
  } finally {
    await Promise.all(storing);
  }
}

/** Stores a batch and acknowledges it. Resolves to false if it could not be stored. */
async function storeBatch(
  channel: string,
  { meter, logger, ...dependencies }: IngestDependencies,
  batch: TracedBatch,
): Promise<boolean> {
  const started = performance.now();
  const warn = (err: unknown): void =>
    logger.warn({ err, channel }, 'a batch could not be acknowledged or released');
  try {
    let messages: readonly Message[] = [];
    const outcomes = await inSpan(batch.senders ?? [], spanOf(channel, batch), async (span) => {
      messages = await read(batch.messages, messageContext(dependencies));
      const stored = await ingest(dependencies, messages);
      span?.setAttributes({ ...ingestReport(stored) });
      return stored;
    });
    meter.observe(channel, outcomes, (performance.now() - started) / 1000);
    await batch.acknowledge(outcomes, messages).catch(warn);
    return true;
  } catch (error) {
    logFailure(logger, {
      error,
      message: 'a batch could not be stored and will be redelivered',
      about: { channel, messages: batch.messages.length },
    });
    await batch.release(error).catch(warn);
    return false;
  }
}

const spanOf = (channel: string, { messages }: SourceBatch): SpanOptions => ({
  name: `ingest ${channel}`,
  kind: 'consumer',
  attributes: { 'messaging.batch.message_count': messages.length },
});

async function read(
  messages: readonly SourceMessage[],
  context: MessageContext,
): Promise<readonly Message[]> {
  const pauseAfter = readingPauses();
  const parsed: Message[] = [];
  for (const message of messages) {
    parsed.push(readMessage(message, context));
    await pauseAfter(message.text.length);
  }
  return parsed;
}
