import { Counter } from 'prom-client';
import { gaugesOf } from '../observability/gauges-of.ts';
import { nodeMetrics } from '../observability/node-metrics.ts';
import { addUp, countsIn, samplesOf, textOf, type Samples } from './samples.ts';

/** A process whose metrics count. */
interface Measured {
  readonly samples: Samples;
  refresh(): Promise<void>;
}

/** The metrics of all processes of a group, its leader included. */
export interface GroupMetrics {
  /** Keeps the counts of a process that has ended. */
  keep(ended: Measured): void;
  countRestart(): void;
  /** Asks all processes anew, and writes the sums in the text format of Prometheus. */
  text(): Promise<string>;
}

export function groupMetrics(members: ReadonlySet<Measured>): GroupMetrics {
  const registry = nodeMetrics();
  const gauge = gaugesOf(registry);
  gauge('group_processes', 'Processes of the group, without its leader.', () => members.size);
  const restarts = new Counter({
    name: 'group_restarts_total',
    help: 'Processes of the group that ended by themselves, and were started again.',
    registers: [registry],
  });
  let past: Promise<Samples> = Promise.resolve([]);
  return {
    keep({ samples }) {
      const before = past;
      // Counts that cannot be added up are lost, for instance those of another version of the code.
      past = before.then((counts) => addUp([counts, countsIn(samples)])).catch(() => before);
    },
    countRestart: () => restarts.inc(),
    async text() {
      const own = await samplesOf(registry);
      await Promise.all([...members].map((member) => member.refresh()));
      // Both in one turn: the counts of a process that ends meanwhile are in exactly one of them.
      const [live, ended] = [[...members].map(({ samples }) => samples), past];
      return textOf(await addUp([own, await ended, ...live]));
    },
  };
}
