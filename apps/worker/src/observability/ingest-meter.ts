import { DEAD_REASONS, type Outcome } from '@plugin-config/domain';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { IngestMeter } from '../loops/ingest-from.ts';

const BATCH_SIZES = [1, 10, 100, 500, 1000, 2500, 5000, 10_000];
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts messages by outcome, and measures batches. */
export function ingestMeter(registry: Registry): IngestMeter {
  const registers = [registry];
  const messages = new Counter({
    name: 'log_entries_total',
    help: 'Arrivals of messages by outcome; dead letters by reason.',
    labelNames: ['outcome', 'reason'],
    registers,
  });
  const sizes = new Histogram({
    name: 'ingest_batch_entries',
    help: 'Messages of a batch.',
    labelNames: ['source'],
    buckets: BATCH_SIZES,
    registers,
  });
  const seconds = new Histogram({
    name: 'ingest_batch_duration_seconds',
    help: 'Time to read and store a batch.',
    labelNames: ['source'],
    buckets: SECONDS,
    registers,
  });
  // A series that begins above 0 has not risen, for Prometheus: the first dead letter would go unnoticed.
  for (const outcome of ['stored', 'duplicate', ...DEAD_REASONS] as const) messages.inc(labels(outcome), 0);
  return {
    observe(source, outcomes, duration) {
      for (const [outcome, count] of counted(outcomes)) messages.inc(labels(outcome), count);
      sizes.observe({ source }, outcomes.length);
      seconds.observe({ source }, duration);
    },
  };
}

function counted(outcomes: readonly Outcome[]): ReadonlyMap<Outcome, number> {
  const counts = new Map<Outcome, number>();
  for (const outcome of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return counts;
}

function labels(outcome: Outcome): { readonly outcome: string; readonly reason: string } {
  const isDead = outcome !== 'stored' && outcome !== 'duplicate' && outcome !== 'gone';
  return isDead ? { outcome: 'dead', reason: outcome } : { outcome, reason: '' };
}
