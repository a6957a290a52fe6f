import type { QueuedPermits } from '@plugin-config/flow';
import { Gauge, type Registry } from 'prom-client';
import { KINDS_OF_WORK, type Gate } from './gate.ts';

/** Adds gauges for the permits of each kind of work. */
export function measureGate(registry: Registry, gate: Gate): void {
  const gauge = (name: string, help: string, read: (permits: QueuedPermits) => number): void => {
    new Gauge({
      name,
      help,
      labelNames: ['work'],
      registers: [registry],
      collect() {
        for (const work of KINDS_OF_WORK) this.set({ work }, read(gate.permitsFor(work)));
      },
    });
  };
  gauge('gate_permits_free', 'Free permits, by kind of work.', ({ free }) => free);
  gauge('gate_waiting', 'Requests waiting for a permit, by kind of work.', ({ waiting }) => waiting);
}
