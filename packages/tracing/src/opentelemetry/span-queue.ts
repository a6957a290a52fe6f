import { ExportResultCode } from '@opentelemetry/core';
import { BatchSpanProcessor, type SpanExporter, type SpanProcessor } from '@opentelemetry/sdk-trace';
import type { SpanCounts } from '../tracer.ts';

const BATCH_SPANS = 512;
const EVERY_MS = 2_000;
/** The spans that wait while a batch is on its way. */
const QUEUE_SPANS = 4 * BATCH_SPANS;

export interface SpanQueue {
  readonly processor: SpanProcessor;
  readonly counts: SpanCounts;
  onProblem(listener: (reason: string | null) => void): void;
}

/** Sends spans in batches, one at a time. Keeps a bounded number of them, and counts those that it has to drop. */
export function spanQueue(exporter: SpanExporter): SpanQueue {
  const counts = { exported: 0, queueFull: 0, notAccepted: 0 };
  let waiting = 0;
  let problem: string | null = null;
  let notify = (_reason: string | null): void => undefined;
  const note = (reason: string | null): void => {
    if ((reason === null) !== (problem === null)) notify(reason);
    problem = reason;
  };
  const batches = new BatchSpanProcessor({
    maxExportBatchSize: BATCH_SPANS,
    maxQueueSize: QUEUE_SPANS,
    scheduledDelayMillis: EVERY_MS,
    exporter: {
      export: (spans, done) => {
        waiting -= spans.length;
        exporter.export(spans, (result) => {
          const isExported = result.code === ExportResultCode.SUCCESS;
          counts[isExported ? 'exported' : 'notAccepted'] += spans.length;
          note(isExported ? null : (result.error?.message ?? 'no reason given'));
          done(result);
        });
      },
      forceFlush: async () => exporter.forceFlush?.(),
      shutdown: () => exporter.shutdown(),
    },
  });
  return {
    counts,
    onProblem: (listener) => {
      notify = listener;
    },
    processor: {
      onStart: (span, context) => batches.onStart(span, context),
      onEnd: (span) => {
        if (waiting === QUEUE_SPANS) counts.queueFull++;
        else {
          waiting++;
          batches.onEnd(span);
        }
      },
      forceFlush: () => batches.forceFlush(),
      shutdown: () => batches.shutdown(),
    },
  };
}
