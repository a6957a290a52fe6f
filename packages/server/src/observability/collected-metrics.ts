import { Counter, Gauge, type Registry } from 'prom-client';

type AddMetric<T> = (name: string, help: string, read: () => T) => void;

/** Adds counters whose values are counted elsewhere and read when the metrics are requested. */
export function countersOf(registry: Registry): AddMetric<number> {
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
export function gaugesOf(registry: Registry): AddMetric<number | Promise<number>> {
  return (name, help, read) => {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set(await read());
      },
    });
  };
}
