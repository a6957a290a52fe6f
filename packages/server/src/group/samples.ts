import { AggregatorRegistry, type Aggregator, type Registry } from 'prom-client';

/** A metric of a process, with its values at one moment. */
export interface Sample {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  /** How the values of several processes become one. */
  readonly aggregator: Aggregator;
  readonly values: readonly SampleValue[];
}

export interface SampleValue {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number>>;
  /** Tells the series of a histogram apart. */
  readonly metricName?: string;
}

/** The metrics of a process at one moment. */
export type Samples = readonly Sample[];

/** Metrics for which the library's way to put processes together is not ours. */
const AGGREGATORS: Readonly<Record<string, Aggregator>> = { process_start_time_seconds: 'min' };

export async function samplesOf(registry: Pick<Registry, 'getMetricsAsJSON'>): Promise<Samples> {
  const metrics = await registry.getMetricsAsJSON();
  return metrics.map(({ name, help, type, aggregator, values }) => ({
    name,
    help,
    type: String(type),
    aggregator: AGGREGATORS[name] ?? aggregator,
    values: values as SampleValue[],
  }));
}

/** Puts the metrics of several processes together. A figure that a process does not know does not hide those of others. */
export async function addUp(processes: readonly Samples[]): Promise<Samples> {
  const all = processes.flat();
  const known = AggregatorRegistry.aggregate(processes.map((samples) => samples.map(knownOf)));
  return (await samplesOf(known)).map((sum) => (sum.values.length > 0 ? sum : unknownOf(sum, all)));
}

/** NaN is a figure that is not known now; it is null after its way from another process. */
function knownOf(sample: Sample): Sample {
  return { ...sample, values: sample.values.filter(({ value }) => Number.isFinite(value)) };
}

function unknownOf(sum: Sample, all: Samples): Sample {
  const { values = [] } = all.find(({ name, values: its }) => name === sum.name && its.length > 0) ?? {};
  return { ...sum, values: values.map((unknown) => ({ ...unknown, value: Number.NaN })) };
}

/** What stays of the metrics of a process that has ended: its counts, since their sums must never fall. */
export function countsIn(samples: Samples): Samples {
  return samples.filter(({ type }) => type !== 'gauge');
}

/** Writes metrics in the text format of Prometheus. */
export async function textOf(samples: Samples): Promise<string> {
  return AggregatorRegistry.aggregate([samples]).metrics();
}
