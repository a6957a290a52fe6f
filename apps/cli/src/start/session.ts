import type { Ending } from './ending.ts';

/** One run of `start`, from the first process to the last. */
export interface Session {
  readonly env: NodeJS.ProcessEnv;
  readonly ending: Ending;
  /** Let go of in the reverse order, whatever ends the session. */
  readonly resources: AsyncDisposableStack;
  print(text: string): void;
  report(line: string): void;
}
