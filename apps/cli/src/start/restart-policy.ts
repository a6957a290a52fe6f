export interface RestartPolicy {
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** Whoever ran this long begins again with the first pause. */
  readonly healthyAfterMs: number;
  /** How often a process may end without ever having been ready. */
  readonly patience: number;
  /** The exit code of a process that cannot run with these settings, however often it is tried. */
  readonly hopelessCode: number;
  /** A process that gives no answer for so long hangs, and is ended. */
  readonly silentForMs: number;
}

export const RESTART_POLICY: RestartPolicy = {
  firstPauseMs: 200,
  longestPauseMs: 10_000,
  healthyAfterMs: 60_000,
  patience: 4,
  hopelessCode: 2,
  silentForMs: 30_000,
};

export function pauseAfter(previousMs: number | undefined, ranMs: number, policy: RestartPolicy): number {
  if (previousMs === undefined || ranMs >= policy.healthyAfterMs) return policy.firstPauseMs;
  return Math.min(previousMs * 2, policy.longestPauseMs);
}
