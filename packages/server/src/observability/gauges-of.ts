import { Gauge, type Registry } from 'prom-client';

/** Adds gauges whose values are read when the metrics are requested. */
export function gaugesOf(registry: Registry): (name: string, help: string, read: () => number) => void {
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
