import { ExportResultCode } from '@opentelemetry/core';
import { BatchSpanProcessor, type SpanExporter, type SpanProcessor } from '@opentelemetry/sdk-trace';
import type { SpanCounts } from '../tracing-settings.ts';

const BATCH_SPANS = 512;
const EXPORT_INTERVAL_MS = 2_000;
/** How many spans can wait while a batch is being sent. */
const QUEUE_SPANS = 4 * BATCH_SPANS;

export interface SpanQueue {
  readonly processor: SpanProcessor;
  readonly counts: SpanCounts;
  onProblem(listener: (reason: string | null) => void): void;
}

/** Sends spans in batches, one at a time. The queue is bounded; dropped spans are counted. */
export function spanQueue(exporter: SpanExporter): SpanQueue {
  const counts = { exported: 0, queueFull: 0, notAccepted: 0 };
  let waiting = 0;
  let problem: string | null = null;
  let notify = (_reason: string | null): void => undefined;
  const setProblem = (reason: string | null): void => {
    if ((reason === null) !== (problem === null)) notify(reason);
    problem = reason;
  };
  const batches = new BatchSpanProcessor({
    maxExportBatchSize: BATCH_SPANS,
    maxQueueSize: QUEUE_SPANS,
    scheduledDelayMillis: EXPORT_INTERVAL_MS,
    exporter: {
      export: (spans, done) => {
        waiting -= spans.length;
        exporter.export(spans, (result) => {
          const isExported = result.code === ExportResultCode.SUCCESS;
          counts[isExported ? 'exported' : 'notAccepted'] += spans.length;
          setProblem(isExported ? null : (result.error?.message ?? 'no reason given'));
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
