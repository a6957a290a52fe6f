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
const OTHER_CALLERS = createContextKey('the other callers of shared work');
const LINKS_MAX = 127;

export type Tracer = ReturnType<typeof openTelemetryTracer>;

/** A tracer on OpenTelemetry's API. Its globals must be set first. */
export function openTelemetryTracer(counts: SpanCounts) {
  const spans = trace.getTracer('plugin-config-service');

  const startIn = (from: Context, { name, kind = 'internal', attributes = {} }: SpanOptions): Span => {
    const others = (from.getValue(OTHER_CALLERS) ?? []) as readonly Span[];
    const links = others.map((other) => ({ context: other.spanContext() }));
    const span = spans.startSpan(name, { kind: KINDS[kind], attributes, links }, from);
    if (span.isRecording()) linkBack(others, span);
    return span;
  };
  const withSpan = <T>(span: Span, work: () => T): T => context.with(trace.setSpan(ROOT_CONTEXT, span), work);

  return {
    counts,
    activeSpan: (): Span | null => recorded(trace.getActiveSpan()),
    start: (options: SpanOptions, parent: Span | null): Span =>
      startIn(parent === null ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent), options),
    withSpan,
    fail,
    inSpan: async <T>(options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> => {
      const span = startIn(context.active(), options);
      try {
        return await withSpan(span, () => work(span));
      } catch (error) {
        fail(span, typeOf(error));
        throw error;
      } finally {
        span.end();
      }
    },
    onBehalfOf: <T>(callers: readonly Span[], work: () => T): T => {
      const first = callers.find((caller) => caller.isRecording());
      const byId = new Map(callers.filter(isSampled).map((caller) => [caller.spanContext().spanId, caller]));
      if (first !== undefined) byId.delete(first.spanContext().spanId);
      const others = [...byId.values()].slice(0, LINKS_MAX);
      const from = first === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, first);
      return context.with(others.length === 0 ? from : from.setValue(OTHER_CALLERS, others), work);
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

function linkBack(others: readonly Span[], span: Span): void {
  for (const other of others) if (other.isRecording()) other.addLink({ context: span.spanContext() });
}

/** Returns the code or class of an error, since its message may quote a value. */
function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

function isSampled(span: Span): boolean {
  return (span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0;
}
