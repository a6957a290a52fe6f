import { setFlagsFromString } from 'node:v8';

/**
 * Messages live as long as a commit takes, long enough to be taken for lasting ones: left alone, the heap grows several
 * times what is alive. Collecting it whenever it has doubled keeps the process at about half, for a tenth of its time.
 */
export function boundHeap(): void {
  setFlagsFromString('--heap-growing-percent=100');
}
