import { RESTART_PAUSES, type RestartPauses } from '@plugin-config/supervision';

export interface GroupPolicy extends RestartPauses {
  /** The pause between two questions to a member, and the longest wait for an answer. */
  readonly askEveryMs: number;
  /** A member that leaves so many questions unanswered in a row is killed. */
  readonly unansweredMax: number;
  /** How long a new member may take to become ready. */
  readonly readyWithinMs: number;
  /** How long a member that was replaced may take to finish what it has. */
  readonly finishWithinMs: number;
  /** How long members may take to stop. */
  readonly stopWithinMs: number;
}

export const GROUP_POLICY: GroupPolicy = {
  ...RESTART_PAUSES,
  askEveryMs: 5_000,
  unansweredMax: 6,
  readyWithinMs: 60_000,
  finishWithinMs: 90_000,
  stopWithinMs: 9_000,
};
