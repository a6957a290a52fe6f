export interface PartOptions {
  readonly databaseUrl: string;
  readonly rounds: number;
  readonly seconds: number;
  /** Selects HTTP scenarios by a part of their name; empty selects all. */
  readonly only: string;
  readonly entries: number;
  readonly table: number;
  readonly tenants: number;
}

export interface PartReport {
  /** Markdown. */
  readonly text: string;
  /** The number of wrong responses and failed runs. */
  readonly errors: number;
}

/** A part of the benchmark. Each part gets a new database. */
export type Part = (options: PartOptions) => Promise<PartReport>;
