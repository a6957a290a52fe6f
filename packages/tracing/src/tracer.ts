import type { Attributes, Span } from '@opentelemetry/api';

export interface SpanOptions {
  /** One of few names: what varies with each request is an attribute, or left out. */
  readonly name: string;
  readonly kind?: 'internal' | 'server' | 'client' | 'consumer';
  /** Never values of requests, configuration or keys. */
  readonly attributes?: Attributes;
}

/** What the service needs of a tracing library. */
export interface Tracer {
  /** The active span; null if there is none or if it is not recorded. */
  activeSpan(): Span | null;
  /** Starts a child of the parent, or a new trace. Recorded only if the sampler says so. */
  start(options: SpanOptions, parent: Span | null): Span;
  /** Runs work with this active span. */
  within<T>(span: Span, work: () => T): T;
  /** Marks a span as failed, with the kind of error. */
  fail(span: Span, errorType: string): void;
  /** Runs work in a new span: a child of the active one, or of none. The span ends with the work. */
  inSpan<T>(options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>;
  /**
   * Runs work that several callers share: as a part of the first one that is recorded here. The spans that it starts, and
   * those of the other callers, are linked with each other.
   */
  share<T>(callers: readonly Span[], work: () => T): T;
  /** The sampled span of a sender, from the text of its `traceparent`; null if that is missing or malformed. */
  senderOf<Carrier>(carrier: Carrier, traceParent: (carrier: Carrier) => string | undefined): Span | null;
  /** What became of the ended spans. */
  readonly counts: SpanCounts;
}

export interface SpanCounts {
  readonly exported: number;
  /** Dropped because too many were waiting for the collector. */
  readonly queueFull: number;
  /** Dropped because the collector was out of reach or rejected them. */
  readonly notAccepted: number;
}
