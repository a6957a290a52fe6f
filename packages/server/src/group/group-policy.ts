export interface GroupPolicy {
  /** The pause between two questions to a member, and the longest wait for an answer. */
  readonly askEveryMs: number;
  /** A member that leaves so many questions unanswered in a row is killed. */
  readonly unansweredMax: number;
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** A member that ran this long is started again after the first pause. */
  readonly healthyAfterMs: number;
  /** How long a new member may take to become ready. */
  readonly readyWithinMs: number;
  /** How long a member that was replaced may take to finish what it has. */
  readonly finishWithinMs: number;
  /** How long members may take to stop. */
  readonly stopWithinMs: number;
}

export const GROUP_POLICY: GroupPolicy = {
  askEveryMs: 5_000,
  unansweredMax: 6,
  firstPauseMs: 200,
  longestPauseMs: 10_000,
  healthyAfterMs: 60_000,
  readyWithinMs: 60_000,
  finishWithinMs: 90_000,
  stopWithinMs: 9_000,
};

export function pauseAfter(previousMs: number, ranMs: number, policy: GroupPolicy): number {
  if (previousMs === 0 || ranMs >= policy.healthyAfterMs) return policy.firstPauseMs;
  return Math.min(2 * previousMs, policy.longestPauseMs);
}
