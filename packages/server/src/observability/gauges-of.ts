import { Gauge, type Aggregator, type Registry } from 'prom-client';

type AddGauge = (name: string, help: string, read: () => number, aggregator?: Aggregator) => void;

/** Adds gauges whose values are read when the metrics are requested. The values of several processes are added up. */
export function gaugesOf(registry: Registry): AddGauge {
  return (name, help, read, aggregator = 'sum') => {
    new Gauge({
      name,
      help,
      aggregator,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  };
}
