import type { Attributes } from '@opentelemetry/api';

export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export interface TracingSettings {
  /** The base address of the collector. */
  readonly endpoint: string;
  /** `name=value,…`, percent-encoded. */
  readonly headers: string;
  readonly serviceName: string;
  readonly serviceVersion: string;
  readonly sampler: (typeof SAMPLERS)[number];
  /** The share of traces to sample, for the samplers that take a ratio. */
  readonly ratio: number;
}

export interface Tracing {
  /** Calls the listener with the reason when spans can no longer be sent, and with null when they can again. */
  onProblem(listener: (reason: string | null) => void): void;
  /** Turns tracing off and sends the waiting spans, which takes at most a second. */
  close(): Promise<void>;
}

export interface SpanOptions {
  /** A low-cardinality name. Details of a request go into attributes, or are left out. */
  readonly name: string;
  readonly kind?: 'internal' | 'server' | 'client' | 'consumer';
  /** Never values of requests, configuration or keys. */
  readonly attributes?: Attributes;
}

export interface SpanCounts {
  readonly exported: number;
  /** Dropped because too many were waiting for the collector. */
  readonly queueFull: number;
  /** Dropped because the collector was unreachable or rejected them. */
  readonly notAccepted: number;
}
