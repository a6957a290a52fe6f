import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 collect the heap whenever it has doubled. Messages live until their commit, so V8 moves them to the old
 * generation, which would grow to several times the live data. This halves the memory for about a tenth of CPU time.
 */
export function boundHeap(): void {
  setFlagsFromString('--heap-growing-percent=100');
}
