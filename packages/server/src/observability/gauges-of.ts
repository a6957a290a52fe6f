import { Gauge, type Registry } from 'prom-client';

/** Adds gauges that are read when somebody asks for the figures. */
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
