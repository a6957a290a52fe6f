import { DEAD_REASONS, ReturnedEntry, type Outcome } from '@plugin-config/domain';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { IngestMeter } from '../loops/ingest-from.ts';

const BATCH_SIZES = [1, 10, 100, 500, 1000, 2500, 5000, 10_000];
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts messages by outcome, and measures batches. */
export function ingestMeter(registry: Registry): IngestMeter {
  const registers = [registry];
  const messages = new Counter({
    name: 'log_entries_total',
    help: 'Received messages by outcome, and dead letters by reason.',
    labelNames: ['outcome', 'reason'],
    registers,
  });
  const sizes = new Histogram({
    name: 'ingest_batch_entries',
    help: 'Messages per batch.',
    labelNames: ['source'],
    buckets: BATCH_SIZES,
    registers,
  });
  const seconds = new Histogram({
    name: 'ingest_batch_duration_seconds',
    help: 'Time to parse and store a batch.',
    labelNames: ['source'],
    buckets: SECONDS,
    registers,
  });
  // Prometheus sees no increase in a series that starts above 0, and would miss the first dead letter.
  for (const outcome of ['stored', 'duplicate', 'returned', ...DEAD_REASONS] as const)
    messages.inc(labels(outcome), 0);
  return {
    observe(source, outcomes, duration) {
      for (const [outcome, count] of countByName(outcomes)) messages.inc(labels(outcome), count);
      sizes.observe({ source }, outcomes.length);
      seconds.observe({ source }, duration);
    },
  };
}

/** `returned` is an entry over quota: its push is rejected, or it becomes a dead letter. */
type OutcomeName = Exclude<Outcome, ReturnedEntry> | 'returned';

function countByName(outcomes: readonly Outcome[]): ReadonlyMap<OutcomeName, number> {
  const counts = new Map<OutcomeName, number>();
  for (const outcome of outcomes) {
    const name = outcome instanceof ReturnedEntry ? 'returned' : outcome;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

const NOT_DEAD: ReadonlySet<OutcomeName> = new Set([
  'stored',
  'duplicate',
  'gone',
  'returned',
  'unavailable',
]);

function labels(outcome: OutcomeName): { readonly outcome: string; readonly reason: string } {
  return NOT_DEAD.has(outcome) ? { outcome, reason: '' } : { outcome: 'dead', reason: outcome };
}
