import type { Tracing, TracingSettings } from './tracing-settings.ts';
import { setTracer } from './tracing.ts';

/** Turns tracing on. Only this loads OpenTelemetry, which takes time and memory. */
export async function startTracing(settings: TracingSettings): Promise<Tracing> {
  const { openTracer } = await import('./opentelemetry/open-tracer.ts');
  const { tracer, onProblem, close } = openTracer(settings);
  setTracer(tracer);
  return {
    onProblem,
    close: async () => {
      setTracer(null);
      await close();
    },
  };
}
