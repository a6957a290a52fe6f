import type { Span } from '@opentelemetry/api';
import type { SpanCounts, SpanOptions, Tracer } from './tracer.ts';

/** Null while tracing is off: nothing of OpenTelemetry is loaded, and each function below does nothing. */
let tracer: Tracer | null = null;

/** Turns tracing on for the process, or off. */
export function setTracer(to: Tracer | null): void {
  tracer = to;
}

export const isTracing = (): boolean => tracer !== null;

/** The active span; null if there is none, if it is not recorded, or if it has ended. */
export const activeSpan = (): Span | null => (tracer === null ? null : tracer.activeSpan());

/** Starts a span that the caller ends: a child of the parent, or a new trace. Null if tracing is off. */
export const startSpan = (options: SpanOptions, parent: Span | null): Span | null =>
  tracer === null ? null : tracer.start(options, parent);

/** Runs work with this active span. */
export const withinSpan = <T>(span: Span | null, work: () => T): T =>
  tracer === null || span === null ? work() : tracer.within(span, work);

/** Marks a span as failed, with the kind of error: never a message, which may quote a value. */
export const failSpan = (span: Span, errorType: string): void => tracer?.fail(span, errorType);

/** The same work, in a span of its own if it is a step of a recorded one. */
export function asStep<T>(options: SpanOptions, work: () => Promise<T>): () => Promise<T> {
  const current = tracer;
  if (current === null) return work;
  return current.activeSpan() === null ? work : () => current.inSpan(options, work);
}

/**
 * Runs work in a span of its own, on behalf of several callers: as a child of the first one that is recorded here, or as a
 * new trace. It is linked with the others.
 */
export function inSpanOf<T>(
  callers: readonly Span[],
  options: SpanOptions,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  const current = tracer;
  return current === null ? work(null) : current.share(callers, () => current.inSpan(options, work));
}

/** Runs work that several callers share. Its steps are a part of the first one, and linked with the others. */
export const share = <T>(callers: readonly (Span | null)[], work: () => T): T =>
  tracer === null
    ? work()
    : tracer.share(
        callers.filter((span) => span !== null),
        work,
      );

/** The sampled span of a sender that gave its `traceparent`. The text is read only if tracing is on. */
export const senderOf = <Carrier>(
  carrier: Carrier,
  traceParent: (carrier: Carrier) => string | undefined,
): Span | null => (tracer === null ? null : tracer.senderOf(carrier, traceParent));

/** What became of the ended spans; null if tracing is off. */
export const spanCounts = (): SpanCounts | null => tracer?.counts ?? null;
