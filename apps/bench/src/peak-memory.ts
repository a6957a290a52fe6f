import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';

const EVERY_MS = 100;

/** Watches a process. The returned function returns its peak resident memory in MB; NaN if it is unknown. */
export function watchPeakMb({ pid }: ChildProcess): () => number {
  let peak = Number.NaN;
  const update = (): void => {
    const kibibytes = /^VmHWM:\s+(\d+) kB/m.exec(statusOf(pid))?.[1];
    if (kibibytes !== undefined) peak = (Number(kibibytes) * 1024) / 1e6;
  };
  const timer = setInterval(update, EVERY_MS);
  return () => {
    update();
    clearInterval(timer);
    return peak;
  };
}

function statusOf(pid: number | undefined): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}
