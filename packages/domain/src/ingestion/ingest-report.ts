import type { Outcome } from './ingest-store.ts';

/** What became of a number of messages, as their sender is told. None that is sent can be `gone`. */
export interface IngestReport {
  readonly stored: number;
  readonly duplicates: number;
  readonly dead: number;
}

export function ingestReport(outcomes: readonly Outcome[]): IngestReport {
  let stored = 0;
  let duplicates = 0;
  let gone = 0;
  for (const outcome of outcomes) {
    if (outcome === 'stored') stored++;
    else if (outcome === 'duplicate') duplicates++;
    else if (outcome === 'gone') gone++;
  }
  return { stored, duplicates, dead: outcomes.length - stored - duplicates - gone };
}
