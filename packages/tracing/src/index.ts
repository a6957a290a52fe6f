export type { Span } from '@opentelemetry/api';
export { startTracing } from './start-tracing.ts';
export { SAMPLERS, type Tracing, type TracingSettings } from './tracing-settings.ts';
export type { SpanOptions } from './tracer.ts';
export {
  activeSpan,
  asStep,
  failSpan,
  inSpanOf,
  isTracing,
  senderOf,
  share,
  spanCounts,
  startSpan,
  withinSpan,
} from './tracing.ts';
