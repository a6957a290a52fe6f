export type { Span } from '@opentelemetry/api';
export { SAMPLERS, type SpanOptions, type Tracing, type TracingSettings } from './tracing-settings.ts';
export {
  activeSpan,
  traced,
  failSpan,
  inSpan,
  isTracing,
  remoteParent,
  onBehalfOf,
  spanCounts,
  startSpan,
  startTracing,
  withSpan,
} from './tracing.ts';
