import type { ByteBudget, DeadLetterStore, JobRunStore, LogUpkeep } from '@plugin-config/domain';
import { gaugesOf, measurePool, type ConnectionPool } from '@plugin-config/service';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { JetStreamSource } from '../sources/jetstream/jetstream-source.ts';
import { figure } from './figure.ts';

interface Dependencies {
  readonly database: { readonly pool: ConnectionPool };
  readonly budget: ByteBudget;
  readonly jobs: Pick<JobRunStore, 'waiting'>;
  readonly letters: Pick<DeadLetterStore, 'count'>;
  readonly upkeep: Pick<LogUpkeep, 'overdue'>;
  readonly retentionDays: number;
  /** Null where it is off. */
  readonly stream: Pick<JetStreamSource, 'lag'> | null;
}

export interface WorkerMetrics {
  readonly registry: Registry;
  /** Finds out what the database and the stream know, one after the other. Never rejects. */
  refresh(): Promise<void>;
}

/** What the process has to tell; what it could not find out lately is not a number. */
export function workerMetrics(dependencies: Dependencies): WorkerMetrics {
  const { database, budget, jobs, letters, upkeep, retentionDays, stream } = dependencies;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  measurePool(registry, database.pool);
  const gauge = gaugesOf(registry);
  gauge('ingest_bytes_in_flight', 'Bodies that are received and not stored yet.', () => budget.used);
  const dead = figure(() => letters.count());
  gauge(
    'dead_letters',
    'Messages that could not be stored, and are kept.',
    () => dead.latest() ?? Number.NaN,
  );
  const overdue = figure(() => upkeep.overdue(retentionDays));
  gauge(
    'log_days_overdue',
    'Days before the retention that are not dropped yet.',
    () => overdue.latest()?.length ?? Number.NaN,
  );
  const waiting = figure(() => jobs.waiting());
  gauge('jobs_queued', 'Jobs that wait.', () => waiting.latest()?.queued ?? Number.NaN);
  gauge('jobs_running', 'Jobs that run.', () => waiting.latest()?.running ?? Number.NaN);
  const lag = stream && figure(() => stream.lag());
  if (lag !== null) {
    gauge(
      'stream_pending_messages',
      'Messages that no worker has yet.',
      () => lag.latest()?.pending ?? Number.NaN,
    );
    gauge(
      'stream_unacknowledged_messages',
      'Messages that a worker has, and has not stored yet.',
      () => lag.latest()?.unacknowledged ?? Number.NaN,
    );
  }
  return {
    registry,
    refresh: async () => {
      for (const { refresh } of [dead, overdue, waiting]) await refresh();
      await lag?.refresh();
    },
  };
}
