import { setTimeout as sleep } from 'node:timers/promises';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { parseKeyPairsIntoRecord, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { TracerProvider } from '@opentelemetry/sdk-trace';
import type { Tracing, TracingSettings } from '../tracing-settings.ts';
import { openTelemetryTracer, type Tracer } from './open-telemetry-tracer.ts';
import { samplerOf } from './sampler.ts';
import { spanQueue } from './span-queue.ts';

/** Limits how long the collector can delay the end of the process. */
const CLOSE_MS = 1000;
const TRACES_PATH = 'v1/traces';

/** Sets up OpenTelemetry for the whole process: its provider, context manager and propagator are global. */
export function openTracer(settings: TracingSettings): Tracing & { readonly tracer: Tracer } {
  const { endpoint, headers, serviceName, serviceVersion } = settings;
  const queue = spanQueue(
    new OTLPTraceExporter({
      url: `${endpoint.replace(/\/+$/, '')}/${TRACES_PATH}`,
      headers: parseKeyPairsIntoRecord(headers),
    }),
  );
  const service = { 'service.name': serviceName, 'service.version': serviceVersion };
  const provider = new TracerProvider({
    sampler: samplerOf(settings),
    spanProcessors: [queue.processor],
    resource: defaultResource()
      .merge(detectResources({ detectors: [resourceAttributesEnvDetector] }))
      .merge(resourceFromAttributes(service)),
  });
  const contexts = new AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(contexts);
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return {
    tracer: openTelemetryTracer(queue.counts),
    onProblem: queue.onProblem,
    close: async () => {
      for (const api of [trace, propagation, context]) api.disable();
      const sent = provider.shutdown().catch(() => undefined);
      await Promise.race([sent, sleep(CLOSE_MS, undefined, { ref: false })]);
    },
  };
}
