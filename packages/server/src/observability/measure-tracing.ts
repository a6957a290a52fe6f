import { spanCounts } from '@plugin-config/tracing';
import { Counter, type Registry } from 'prom-client';

/** Adds counters of exported and dropped spans. Does nothing if tracing is off. */
export function measureTracing(registry: Registry): void {
  if (spanCounts() === null) return;
  const registers = [registry];
  new Counter({
    name: 'trace_spans_exported_total',
    help: 'Spans that the collector accepted.',
    registers,
    collect() {
      this.reset();
      this.inc(spanCounts()?.exported ?? 0);
    },
  });
  new Counter({
    name: 'trace_spans_dropped_total',
    help: 'Dropped spans. Too many were waiting (queue_full), or the collector did not accept them (not_accepted).',
    labelNames: ['reason'],
    registers,
    collect() {
      const { queueFull = 0, notAccepted = 0 } = spanCounts() ?? {};
      this.reset();
      this.inc({ reason: 'queue_full' }, queueFull);
      this.inc({ reason: 'not_accepted' }, notAccepted);
    },
  });
}
