import { Counter, type Registry } from 'prom-client';

/** Adds counters that are kept elsewhere, and whose values are read when the metrics are requested. */
export function countersOf(registry: Registry): (name: string, help: string, read: () => number) => void {
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
