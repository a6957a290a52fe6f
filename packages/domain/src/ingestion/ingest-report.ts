import type { DeadReason } from '../message/dead-reason.ts';

/**
 * The outcome of a message. A reason means that the message is a dead letter. `gone` means that the retried dead letter
 * was stored or deleted meanwhile, so that nothing was done.
 */
export type Outcome = 'stored' | 'duplicate' | 'gone' | DeadReason;

/** The number of messages of a sender by outcome. A message of a sender cannot be `gone`. */
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
