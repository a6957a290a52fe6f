import { startTracing, type Tracing } from '@plugin-config/tracing';
import type { EnvOf } from '../env/settings.ts';
import type { COMMON_SETTINGS } from '../env/common-settings.ts';
import { VERSION } from '../lifecycle/read-options.ts';

/** Turns tracing on if the settings name a collector; otherwise resolves to null. Must be called before the log is opened. */
export async function traceProcess(
  defaultName: string,
  env: EnvOf<typeof COMMON_SETTINGS>,
): Promise<Tracing | null> {
  if (env.OTEL_EXPORTER_OTLP_ENDPOINT === null) return null;
  return startTracing({
    endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: env.OTEL_EXPORTER_OTLP_HEADERS,
    serviceName: env.OTEL_SERVICE_NAME ?? defaultName,
    serviceVersion: VERSION,
    sampler: env.OTEL_TRACES_SAMPLER,
    ratio: env.OTEL_TRACES_SAMPLER_ARG,
  });
}
