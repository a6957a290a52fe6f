import { readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;
/** In the part of `/proc/…/stat` that follows the name. */
const TIMES = { user: 11, system: 12 };

/** Returns the seconds of CPU that processes have used so far. */
export function cpuOf(pids: readonly (number | undefined)[]): number {
  return pids.reduce<number>((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ').map(Number) ?? [];
    return sum + ((fields[TIMES.user] ?? 0) + (fields[TIMES.system] ?? 0)) / TICKS_PER_SECOND;
  }, 0);
}
