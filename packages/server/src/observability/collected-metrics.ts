import { Counter, Gauge, type Registry } from 'prom-client';

/** The value of a metric, or its value for each value of a label. */
type Values = number | Iterable<readonly [labelValue: string, value: number]>;

type AddMetric = (name: string, help: string, read: () => Values | Promise<Values>, label?: string) => void;

/** Adds metrics whose values are kept elsewhere and read when the metrics are requested. */
export function collectedMetrics(registry: Registry): {
  readonly counter: AddMetric;
  readonly gauge: AddMetric;
} {
  const registers = [registry];
  return {
    counter: (name, help, read, label) => {
      new Counter({
        name,
        help,
        registers,
        labelNames: namesOf(label),
        async collect() {
          const values = await read();
          this.reset();
          for (const [labels, value] of labelled(values, label)) this.inc(labels, value);
        },
      });
    },
    gauge: (name, help, read, label) => {
      new Gauge({
        name,
        help,
        registers,
        labelNames: namesOf(label),
        async collect() {
          for (const [labels, value] of labelled(await read(), label)) this.set(labels, value);
        },
      });
    },
  };
}

function namesOf(label: string | undefined): string[] {
  return label === undefined ? [] : [label];
}

function labelled(values: Values, label = ''): [labels: Record<string, string>, value: number][] {
  if (typeof values === 'number') return [[{}, values]];
  return [...values].map(([name, value]) => [{ [label]: name }, value]);
}
