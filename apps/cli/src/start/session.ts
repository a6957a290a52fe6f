import type { Shutdown } from './shutdown.ts';

/** One run of `start`. */
export interface Session {
  readonly env: NodeJS.ProcessEnv;
  readonly shutdown: Shutdown;
  /** Disposed in reverse order when the session ends. */
  readonly resources: AsyncDisposableStack;
  print(text: string): void;
  report(line: string): void;
}
