import { inform } from './output.ts';

const INTERVAL_MS = 1000;

/** Reports the progress of long work: at most once a second, and whenever `isEnd` holds. */
export function progress<T extends readonly unknown[]>(
  describe: (...of: T) => string,
  isEnd: (...of: T) => boolean = () => false,
): (...of: T) => void {
  let next = performance.now() + INTERVAL_MS;
  return (...of) => {
    if (!isEnd(...of) && performance.now() < next) return;
    next = performance.now() + INTERVAL_MS;
    inform(describe(...of));
  };
}
