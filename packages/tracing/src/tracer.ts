import type { Attributes, Span } from '@opentelemetry/api';

export interface SpanOptions {
  /** A low-cardinality name. Details of a request go into attributes, or are left out. */
  readonly name: string;
  readonly kind?: 'internal' | 'server' | 'client' | 'consumer';
  /** Never values of requests, configuration or keys. */
  readonly attributes?: Attributes;
}

/** The parts of a tracing library that the service uses. */
export interface Tracer {
  /** The active span; null if there is none or if it is not recorded. */
  activeSpan(): Span | null;
  /** Starts a child of the parent, or a new trace. The sampler decides whether it is recorded. */
  start(options: SpanOptions, parent: Span | null): Span;
  /** Runs work with this span active. */
  within<T>(span: Span, work: () => T): T;
  /** Marks a span as failed with this type of error. */
  fail(span: Span, errorType: string): void;
  /** Runs work in a new span, a child of the active span if there is one. The span ends with the work. */
  inSpan<T>(options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>;
  /**
   * Runs work that several callers share. The spans that it starts are children of the first caller recorded in this process,
   * and are linked with the spans of the other callers in both directions.
   */
  share<T>(callers: readonly Span[], work: () => T): T;
  /** Returns the remote span named by `traceparent`; null if the header is missing or malformed. */
  remoteParent<Carrier>(carrier: Carrier, traceParent: (carrier: Carrier) => string | undefined): Span | null;
  /** Counts ended spans by outcome. */
  readonly counts: SpanCounts;
}

export interface SpanCounts {
  readonly exported: number;
  /** Dropped because too many were waiting for the collector. */
  readonly queueFull: number;
  /** Dropped because the collector was unreachable or rejected them. */
  readonly notAccepted: number;
}
