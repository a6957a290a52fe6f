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
 * Returns the sampler with this name. If the name begins with `parentbased`, callers may opt out of sampling. They can never
 * raise the sampled share, either with the flag in `traceparent` or by choosing a trace id.
 */
export function samplerOf({ sampler: name, ratio }: Pick<TracingSettings, 'sampler' | 'ratio'>): Sampler {
  const root = rootOf(name, ratio);
  const independent = withRandomIds(root);
  return new ParentBasedSampler({
    root,
    remoteParentSampled: independent,
    remoteParentNotSampled: name.startsWith('parentbased') ? new AlwaysOffSampler() : independent,
  });
}

function rootOf(name: TracingSettings['sampler'], ratio: number): Sampler {
  if (name.endsWith('always_on')) return new AlwaysOnSampler();
  return name.endsWith('always_off') ? new AlwaysOffSampler() : new TraceIdRatioBasedSampler(ratio);
}

/** Samples by a random id instead of the caller's. */
function withRandomIds(sampler: Sampler): Sampler {
  const ids = new RandomIdGenerator();
  return {
    shouldSample: (context, _traceId, ...more) =>
      sampler.shouldSample(context, ids.generateTraceId(), ...more),
    toString: () => `WithRandomIds{${sampler.toString()}}`,
  };
}
