export interface ExitInfo {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why the supervisor ended the process, if it did. */
  readonly reason?: string | undefined;
}

/** A supervised process: the database or an app. */
export interface ManagedProcess {
  readonly exited: Promise<ExitInfo>;
  /** Resolves once the process is ready; rejects with the reason if it ends before. */
  readonly ready: Promise<void>;
  /** Tells the process to replace its own processes one after the other. */
  renew?(): void;
  /** Stops the process gracefully; kills it after the grace period or on `force`. Resolves when it has ended. */
  stop(graceMs: number, force?: AbortSignal): Promise<void>;
}

export function describeExit({ code, signal, reason }: ExitInfo): string {
  if (reason !== undefined) return reason;
  if (signal !== null) return `was ended by ${signal}`;
  return code === null ? 'could not be started' : `ended with exit code ${code}`;
}
