import { tell } from './output.ts';

const INTERVAL_MS = 1000;

/** Tells how far a long work has come, at most once a second. */
export function progress(describe: (done: number, of: number) => string): (done: number, of: number) => void {
  let next = performance.now() + INTERVAL_MS;
  return (done, of) => {
    if (performance.now() < next) return;
    next = performance.now() + INTERVAL_MS;
    tell(describe(done, of));
  };
}
