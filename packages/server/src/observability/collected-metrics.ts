import { Counter, Gauge, type Registry } from 'prom-client';

type AddMetric = (name: string, help: string, read: () => number) => void;

/** Adds counters that are kept elsewhere, and whose values are read when the metrics are requested. */
export function countersOf(registry: Registry): AddMetric {
  return (name, help, read) => {
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  };
}

/** Adds gauges whose values are read when the metrics are requested. */
export function gaugesOf(registry: Registry): AddMetric {
  return (name, help, read) => {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  };
}
