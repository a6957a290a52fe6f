import type { QueuedPermits } from '@plugin-config/flow';
import { Gauge, type Registry } from 'prom-client';
import { WORKS, type Gate } from './gate.ts';

/** Adds gauges of the permits of each kind of work. */
export function measureGate(registry: Registry, gate: Gate): void {
  const gauge = (name: string, help: string, read: (permits: QueuedPermits) => number): void => {
    new Gauge({
      name,
      help,
      labelNames: ['work'],
      registers: [registry],
      collect() {
        for (const work of WORKS) this.set({ work }, read(gate.permitsFor(work)));
      },
    });
  };
  gauge('gate_permits_free', 'Permits that are free, by kind of work.', ({ free }) => free);
  gauge('gate_waiting', 'Requests that wait for a permit, by kind of work.', ({ waiting }) => waiting);
}
