import { RESTART_PAUSES, type RestartPauses } from '@plugin-config/supervision';

export interface RestartPolicy extends RestartPauses {
  /** How often a process may fail before it was ever ready. */
  readonly maxFailedStarts: number;
  /** The exit code of a process that cannot run with its settings, so that no restart helps. */
  readonly permanentFailureCode: number;
  /** A process that does not respond for this long is killed. */
  readonly unresponsiveForMs: number;
}

export const RESTART_POLICY: RestartPolicy = {
  ...RESTART_PAUSES,
  maxFailedStarts: 4,
  permanentFailureCode: 2,
  unresponsiveForMs: 30_000,
};
