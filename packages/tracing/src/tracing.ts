import type { Span } from '@opentelemetry/api';
import type { Tracer } from './opentelemetry/open-telemetry-tracer.ts';
import type { SpanCounts, SpanOptions, Tracing, TracingSettings } from './tracing-settings.ts';

/** Null while tracing is off. OpenTelemetry is then not loaded, and the functions below only run the work. */
let tracer: Tracer | null = null;

/** Turns tracing on for the process. OpenTelemetry is loaded only here, because it takes time and memory. */
export async function startTracing(settings: TracingSettings): Promise<Tracing> {
  const { openTracer } = await import('./opentelemetry/open-tracer.ts');
  const opened = openTracer(settings);
  tracer = opened.tracer;
  return {
    onProblem: opened.onProblem,
    close: async () => {
      tracer = null;
      await opened.close();
    },
  };
}

export const isTracing = (): boolean => tracer !== null;

/** Returns the active span; null if there is none, or if it is not recorded or has ended. */
export const activeSpan = (): Span | null => (tracer === null ? null : tracer.activeSpan());

/** Starts a span that the caller ends: a child of the parent, or a new trace. Null if tracing is off. */
export const startSpan = (options: SpanOptions, parent: Span | null): Span | null =>
  tracer === null ? null : tracer.start(options, parent);

/** Runs work with this span active. */
export const withSpan = <T>(span: Span | null, work: () => T): T =>
  tracer === null || span === null ? work() : tracer.withSpan(span, work);

/** Marks a span as failed with this type of error. Takes no message, since messages may quote values. */
export const failSpan = (span: Span, errorType: string): void => tracer?.fail(span, errorType);

/** Wraps work in a child span if the active span is recorded. */
export function traced<T>(options: SpanOptions, work: () => Promise<T>): () => Promise<T> {
  const current = tracer;
  if (current === null) return work;
  return current.activeSpan() === null ? work : () => current.inSpan(options, work);
}

/** Runs work for several callers in one span: a child of the first recorded caller, or a new trace, linked with the others. */
export function inSpan<T>(
  callers: readonly Span[],
  options: SpanOptions,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  const current = tracer;
  return current === null ? work(null) : current.onBehalfOf(callers, () => current.inSpan(options, work));
}

/** Runs work that several callers share. Its spans are children of the first caller, linked with the others. */
export const onBehalfOf = <T>(callers: readonly (Span | null)[], work: () => T): T =>
  tracer === null
    ? work()
    : tracer.onBehalfOf(
        callers.filter((span) => span !== null),
        work,
      );

/** Returns the remote span named by `traceparent`, which is only read while tracing is on. */
export const remoteParent = <Carrier>(
  carrier: Carrier,
  traceParent: (carrier: Carrier) => string | undefined,
): Span | null => (tracer === null ? null : tracer.remoteParent(carrier, traceParent));

/** Counts ended spans by outcome; null while tracing is off. */
export const spanCounts = (): SpanCounts | null => tracer?.counts ?? null;
