export interface Invocation {
  readonly env: NodeJS.ProcessEnv;
  /** Sets the exit code of the command. */
  exit(code: number): void;
}
