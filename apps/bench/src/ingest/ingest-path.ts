import type { EntryFiles } from './write-entries.ts';

export interface IngestInput {
  readonly databaseUrl: string;
  /** The token of a key that can only ingest. */
  readonly token: string;
  readonly files: EntryFiles;
  /** Additional settings of the worker. */
  readonly env?: NodeJS.ProcessEnv;
}

export interface Run {
  readonly seconds: number;
  /** The peak resident memory of the worker. */
  readonly peakMb: number;
}

/** Stores the entries over one path, with a new worker, until the last acknowledgement. */
export type IngestPath = (input: IngestInput) => Promise<Run>;
