const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 300_000;

/**
 * Thrown if an attempt cannot start or continue for a reason outside of the job: the job returns to the queue, and the attempt is
 * not counted.
 */
export class PutBack extends Error {
  override readonly name = 'PutBack';
  /** Whether the job is due at once, because another worker can run it. */
  readonly atOnce: boolean;

  constructor(message: string, { atOnce = false }: { readonly atOnce?: boolean } = {}) {
    super(message);
    this.atOnce = atOnce;
  }
}

/** The back-off of a job that was put back this many times before. */
export function backOffAfterPutBack(times: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** times);
}
