import { readFileSync } from 'node:fs';
import type { RunningProcess } from '@plugin-config/server/testing';

export const MIB = 1024 * 1024;

/** Returns the current and the peak memory of a process, in bytes. */
export function memoryOf({ child }: RunningProcess): { readonly now: number; readonly most: number } {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  const bytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024;
  return { now: bytes('VmRSS'), most: bytes('VmHWM') };
}
