export interface PartOptions {
  readonly databaseUrl: string;
  readonly rounds: number;
  readonly seconds: number;
  /** Part of the name of an HTTP scenario; empty takes all. */
  readonly only: string;
  readonly entries: number;
  readonly table: number;
}

export interface PartReport {
  /** In Markdown. */
  readonly text: string;
  /** Answers and runs that were not as they have to be. */
  readonly wrong: number;
}

/** A part of the benchmark, which has a database to itself. */
export type Part = (options: PartOptions) => Promise<PartReport>;
