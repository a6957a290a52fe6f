import { availableParallelism, cpus, totalmem } from 'node:os';

/** Describes the machine of the measurement. */
export function machine(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${availableParallelism()} cores (${cpu?.model.trim()}), ${memory} GiB, Node ${process.versions.node}`;
}
