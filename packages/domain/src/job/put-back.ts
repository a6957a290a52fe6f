const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 300_000;

/** Thrown where a job cannot be tried, by no fault of its own: it goes back to the queue, and no attempt is used up. */
export class PutBack extends Error {
  override readonly name = 'PutBack';
  /** It is tried again at once: another worker can do so. */
  readonly atOnce: boolean;

  constructor(message: string, { atOnce = false }: { readonly atOnce?: boolean } = {}) {
    super(message);
    this.atOnce = atOnce;
  }
}

/** How long a job waits that was put back so often before. */
export function pauseAfterPutBack(times: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** times);
}
