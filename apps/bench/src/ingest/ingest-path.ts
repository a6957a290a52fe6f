import type { EntryFiles } from './write-entries.ts';

export interface IngestInput {
  readonly databaseUrl: string;
  /** Holds the scope for ingestion alone. */
  readonly token: string;
  readonly files: EntryFiles;
}

export interface Run {
  readonly seconds: number;
  /** The most that was resident of the worker. */
  readonly peakMb: number;
}

/** One ingestPath into the store, from a fresh worker to the last acknowledgement. */
export type IngestPath = (input: IngestInput) => Promise<Run>;
