import type { DeadReason } from '../message/dead-reason.ts';

/**
 * What became of a message. A reason means that it is a dead letter; `gone`, that the dead letter which it is a retry of
 * was stored or dropped meanwhile, so that nothing was done.
 */
export type Outcome = 'stored' | 'duplicate' | 'gone' | DeadReason;

/** How many messages of a sender were stored, were stored before, or are dead letters. None of them can be `gone`. */
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
