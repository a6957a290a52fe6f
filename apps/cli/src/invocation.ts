export interface Invocation {
  readonly env: NodeJS.ProcessEnv;
  /** For a command that ends with a code of its own. */
  exit(code: number): void;
}
