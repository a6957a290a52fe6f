import type { Exit } from '@plugin-config/supervision';

/** A supervised process: the database or an app. */
export interface ManagedProcess {
  readonly exited: Promise<Exit>;
  /** Resolves once the process is ready; rejects with the reason if it ends before. */
  readonly ready: Promise<void>;
  /** Stops the process gracefully; kills it after the grace period or on `force`. Resolves when it has ended. */
  stop(graceMs: number, force?: AbortSignal): Promise<void>;
}
