import type { DeadReason } from '../message/dead-reason.ts';
import type { LogAmount, LogQuota } from '../usage/log-quota.ts';

/** An entry over the quota of its project that is returned to its source without being stored. */
export class ReturnedEntry {
  readonly projectId: number;
  readonly amount: LogAmount;
  readonly quota: LogQuota;

  constructor(projectId: number, amount: LogAmount, quota: LogQuota) {
    this.projectId = projectId;
    this.amount = amount;
    this.quota = quota;
  }
}

/**
 * The outcome of a message. A reason means that it became a dead letter. `gone` means that the retried dead letter
 * has been stored or deleted since. `unavailable` means that it was not stored, and must be sent again.
 */
export type Outcome = 'stored' | 'duplicate' | 'gone' | 'unavailable' | DeadReason | ReturnedEntry;

export function isDead(outcome: Outcome): outcome is DeadReason {
  return !(outcome instanceof ReturnedEntry) && !OTHERS.has(outcome);
}

const OTHERS: ReadonlySet<string> = new Set(['stored', 'duplicate', 'gone', 'unavailable']);

/** The messages of a sender by outcome, except `gone`, `unavailable` and returned messages. */
export interface IngestReport {
  readonly stored: number;
  readonly duplicates: number;
  readonly dead: number;
}

export function ingestReport(outcomes: readonly Outcome[]): IngestReport {
  let stored = 0;
  let duplicates = 0;
  let dead = 0;
  for (const outcome of outcomes) {
    if (outcome === 'stored') stored++;
    else if (outcome === 'duplicate') duplicates++;
    else if (isDead(outcome)) dead++;
  }
  return { stored, duplicates, dead };
}
