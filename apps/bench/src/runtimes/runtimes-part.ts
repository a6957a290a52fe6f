import { markdownTable } from '../markdown-table.ts';
import { median } from '../median.ts';
import type { Part } from '../part.ts';
import { benchRuntimes, type Held } from './runtimes-bench.ts';

/** Measures a thousand runtimes that wait and report, the registration of a plugin, and the rotation of master keys. */
export const runtimesPart: Part = async (options) => {
  const { waits, streams, latencies, patches, lostReports, registrationMs, rotationMs } =
    await benchRuntimes(options);
  const ms = (values: readonly number[], of = median): string => of(values).toFixed(0);
  const slowest = (values: readonly number[]): number => Math.max(...values);
  const cost = ({ memory, cpu }: Held): string => `${memory.toFixed(0)} MB, ${cpu.toFixed(0)} ms/s`;
  const rows = [
    ['1,000 waiting runtimes: memory, CPU', cost(waits), 'like streams'],
    ['1,000 streams of a family: memory, CPU', cost(streams), ''],
    ['from a change until 1,000 runtimes have its version, median (ms)', ms(latencies), ''],
    ['the same, slowest (ms)', ms(latencies, slowest), '< 1000'],
    ['PATCH with 1,000 heartbeats a minute, relative to PATCH alone', median(patches).toFixed(2), '>= 0.97'],
    ['reports that were not stored', lostReports, '0'],
    ['registration of a plugin of 10,000 records, slowest (ms)', ms(registrationMs, slowest), '< 100'],
    ['rotation of 10,000 data keys, slowest (ms)', ms(rotationMs, slowest), '< 1000'],
  ];
  return { text: markdownTable(['runtimes', 'result', 'goal'], rows), errors: lostReports };
};
