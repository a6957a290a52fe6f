import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
  type Sampler,
} from '@opentelemetry/sdk-trace';
import type { TracingSettings } from '../tracing-settings.ts';

/**
 * The sampler of this name. A caller may ask not to be sampled (if the name begins with `parentbased`), but not for more
 * than the sampler's share: neither by the flag of its `traceparent`, nor by its choice of a trace id.
 */
export function samplerOf({ sampler: name, ratio }: Pick<TracingSettings, 'sampler' | 'ratio'>): Sampler {
  const root = rootOf(name, ratio);
  const anew = byOwnId(root);
  return new ParentBasedSampler({
    root,
    remoteParentSampled: anew,
    remoteParentNotSampled: name.startsWith('parentbased') ? new AlwaysOffSampler() : anew,
  });
}

function rootOf(name: TracingSettings['sampler'], ratio: number): Sampler {
  if (name.endsWith('always_on')) return new AlwaysOnSampler();
  return name.endsWith('always_off') ? new AlwaysOffSampler() : new TraceIdRatioBasedSampler(ratio);
}

/** Decides by a random id instead of the caller's. */
function byOwnId(sampler: Sampler): Sampler {
  const ids = new RandomIdGenerator();
  return {
    shouldSample: (context, _traceId, ...more) =>
      sampler.shouldSample(context, ids.generateTraceId(), ...more),
    toString: () => `ByOwnId{${sampler.toString()}}`,
  };
}
