export interface RestartPolicy {
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** A process that ran this long restarts after the first pause again. */
  readonly healthyAfterMs: number;
  /** How often a process may fail before it was ever ready. */
  readonly maxFailedStarts: number;
  /** The exit code of a process that cannot run with its settings, so that no restart helps. */
  readonly permanentFailureCode: number;
  /** A process that does not respond for this long is killed. */
  readonly unresponsiveForMs: number;
}

export const RESTART_POLICY: RestartPolicy = {
  firstPauseMs: 200,
  longestPauseMs: 10_000,
  healthyAfterMs: 60_000,
  maxFailedStarts: 4,
  permanentFailureCode: 2,
  unresponsiveForMs: 30_000,
};

export function pauseAfter(previousMs: number | undefined, ranMs: number, policy: RestartPolicy): number {
  if (previousMs === undefined || ranMs >= policy.healthyAfterMs) return policy.firstPauseMs;
  return Math.min(previousMs * 2, policy.longestPauseMs);
}
