export interface ExitInfo {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why we ended it, where we did. */
  readonly reason?: string | undefined;
}

/** A process of ours: the database, or one of the apps. */
export interface ManagedProcess {
  readonly exited: Promise<ExitInfo>;
  /** Resolves once it can do its work; rejects, saying why, where it ends before. */
  readonly ready: Promise<void>;
  /** Asks it to finish what it does; past the grace, or when told to hurry, ends it. Resolves when it has ended. */
  stop(graceMs: number, hurry?: AbortSignal): Promise<void>;
}

export function describeExit({ code, signal, reason }: ExitInfo): string {
  if (reason !== undefined) return reason;
  if (signal !== null) return `was ended by ${signal}`;
  return code === null ? 'could not be started' : `ended with exit code ${code}`;
}
