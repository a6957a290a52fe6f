import {
  context,
  createContextKey,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Span,
} from '@opentelemetry/api';
import type { SpanCounts, SpanOptions } from '../tracing-settings.ts';

const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
} as const;

/** Context key of the callers that a new span is linked to. */
const SHARERS = createContextKey('the other callers of shared work');
const LINKS_MAX = 127;

export type Tracer = ReturnType<typeof openTelemetryTracer>;

/** A tracer on OpenTelemetry's API. Its globals must be set first. */
export function openTelemetryTracer(counts: SpanCounts) {
  const spans = trace.getTracer('plugin-config-service');

  const startIn = (from: Context, { name, kind = 'internal', attributes = {} }: SpanOptions): Span => {
    const sharers = (from.getValue(SHARERS) ?? []) as readonly Span[];
    const links = sharers.map((sharer) => ({ context: sharer.spanContext() }));
    const span = spans.startSpan(name, { kind: KINDS[kind], attributes, links }, from);
    if (span.isRecording()) linkBack(sharers, span);
    return span;
  };
  const within = <T>(span: Span, work: () => T): T => context.with(trace.setSpan(ROOT_CONTEXT, span), work);

  return {
    counts,
    activeSpan: (): Span | null => recorded(trace.getActiveSpan()),
    start: (options: SpanOptions, parent: Span | null): Span =>
      startIn(parent === null ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent), options),
    within,
    fail,
    inSpan: async <T>(options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> => {
      const span = startIn(context.active(), options);
      try {
        return await within(span, () => work(span));
      } catch (error) {
        fail(span, typeOf(error));
        throw error;
      } finally {
        span.end();
      }
    },
    share: <T>(callers: readonly Span[], work: () => T): T => {
      const first = callers.find((caller) => caller.isRecording());
      const others = new Map(
        callers.filter(isSampled).map((caller) => [caller.spanContext().spanId, caller]),
      );
      if (first !== undefined) others.delete(first.spanContext().spanId);
      const sharers = [...others.values()].slice(0, LINKS_MAX);
      const from = first === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, first);
      return context.with(sharers.length === 0 ? from : from.setValue(SHARERS, sharers), work);
    },
    remoteParent: <Carrier>(
      carrier: Carrier,
      traceParent: (carrier: Carrier) => string | undefined,
    ): Span | null => {
      const from = propagation.extract(ROOT_CONTEXT, carrier, {
        keys: () => [],
        get: (sent, key) => (key === 'traceparent' ? traceParent(sent) : undefined),
      });
      return trace.getSpan(from) ?? null;
    },
  };
}

function fail(span: Span, errorType: string): void {
  span.setAttribute('error.type', errorType).setStatus({ code: SpanStatusCode.ERROR });
}

function recorded(span: Span | undefined): Span | null {
  return span?.isRecording() === true ? span : null;
}

function linkBack(sharers: readonly Span[], span: Span): void {
  for (const sharer of sharers) if (sharer.isRecording()) sharer.addLink({ context: span.spanContext() });
}

/** Returns the code or class of an error, since its message may quote a value. */
function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

function isSampled(span: Span): boolean {
  return (span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0;
}
