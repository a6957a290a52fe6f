import { inform } from './output.ts';

const INTERVAL_MS = 1000;

/** Reports the progress of long work, at most once a second. */
export function progress(describe: (done: number, of: number) => string): (done: number, of: number) => void {
  let next = performance.now() + INTERVAL_MS;
  return (done, of) => {
    if (performance.now() < next) return;
    next = performance.now() + INTERVAL_MS;
    inform(describe(done, of));
  };
}
