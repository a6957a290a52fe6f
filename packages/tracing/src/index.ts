export type { Span } from '@opentelemetry/api';
export { SAMPLERS, type SpanOptions, type Tracing, type TracingSettings } from './tracing-settings.ts';
export {
  activeSpan,
  asStep,
  failSpan,
  inSpanOf,
  isTracing,
  remoteParent,
  share,
  spanCounts,
  startSpan,
  startTracing,
  withinSpan,
} from './tracing.ts';
