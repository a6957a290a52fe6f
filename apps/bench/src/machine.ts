import { availableParallelism, cpus, totalmem } from 'node:os';

/** What the figures were measured on. */
export function machine(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${availableParallelism()} cores (${cpu?.model.trim()}), ${memory} GiB, Node ${process.versions.node}`;
}
