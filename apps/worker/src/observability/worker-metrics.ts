import {
  EVERY_TASK_KIND,
  type TaskBacklog,
  type DeadLetterStore,
  type LogUpkeep,
  type TaskQueue,
} from '@plugin-config/domain';
import { collectedMetrics, processMetrics, type MeasuredProcess } from '@plugin-config/server';
import type { Registry } from 'prom-client';
import type { JetStreamSource } from '../sources/jetstream/jetstream-source.ts';

interface Dependencies extends MeasuredProcess {
  readonly tasks: Pick<TaskQueue, 'backlog'>;
  readonly deadLetters: Pick<DeadLetterStore, 'count'>;
  readonly upkeep: Pick<LogUpkeep, 'overdue' | 'unmoved'>;
  readonly retentionDays: number;
  readonly hotDays: number;
  /** Null if `NATS_URL` is not set. */
  readonly stream: Pick<JetStreamSource, 'lag' | 'problem'> | null;
}

export interface WorkerMetrics {
  readonly registry: Registry;
  /** Refreshes the values that need the database or the stream. Never rejects. */
  refresh(): Promise<void>;
}

/** The metrics of the worker. A metric without a recent value is NaN. */
export function workerMetrics(dependencies: Dependencies): WorkerMetrics {
  const { gate, tasks, deadLetters, upkeep, retentionDays, stream } = dependencies;
  const registry = processMetrics(dependencies);
  const { gauge } = collectedMetrics(registry);
  gauge(
    'ingest_bytes_in_flight',
    'Memory used by received bodies that are not stored yet.',
    () => gate.memory.used,
  );
  const dead = refreshedValue(() => deadLetters.count());
  gauge('dead_letters', 'Stored dead letters.', () => dead.latest() ?? Number.NaN);
  const overdue = refreshedValue(() => upkeep.overdue(retentionDays));
  gauge(
    'log_partitions_overdue',
    'Days past their retention that have not been dropped yet.',
    () => overdue.latest()?.length ?? Number.NaN,
  );
  const unarchived = refreshedValue(() => upkeep.unmoved(dependencies.hotDays));
  gauge(
    'log_archive_backlog',
    'Days that are due to be archived and still have entries in PostgreSQL.',
    () => unarchived.latest() ?? Number.NaN,
  );
  const backlog = refreshedValue(() => tasks.backlog());
  const tasksBy = (count: keyof TaskBacklog) => () =>
    new Map(EVERY_TASK_KIND.map((kind) => [kind, backlog.latest()?.[kind][count] ?? Number.NaN]));
  gauge('tasks_due', 'Tasks that wait for a worker, counted up to 100,000.', tasksBy('due'), 'kind');
  gauge('tasks_running', 'Tasks that a worker has claimed.', tasksBy('running'), 'kind');
  const lag = stream && refreshedValue(() => stream.lag());
  if (stream !== null && lag !== null) {
    gauge(
      'jetstream_problem',
      '1 if messages cannot be received or acknowledged. See /readyz for the reason.',
      () => (stream.problem() === null ? 0 : 1),
    );
    gauge(
      'jetstream_pending_messages',
      'Messages that have not been delivered yet.',
      () => lag.latest()?.pending ?? Number.NaN,
    );
    gauge(
      'jetstream_unacknowledged_messages',
      'Messages that have been delivered but not acknowledged yet.',
      () => lag.latest()?.unacknowledged ?? Number.NaN,
    );
  }
  return {
    registry,
    refresh: async () => {
      for (const { refresh } of [dead, overdue, unarchived, backlog]) await refresh();
      await lag?.refresh();
    },
  };
}

/** A metric value that needs a query. It is refreshed in the background, so readers never wait. */
interface RefreshedValue<T> {
  /** The last value; null if the last refresh failed or is stale. */
  latest(): T | null;
  /** Queries the value again. Never rejects. */
  refresh(): Promise<void>;
}

/** Several refresh intervals. */
const STALE_MS = 15_000;

export function refreshedValue<T>(query: () => Promise<T>): RefreshedValue<T> {
  let latest: { readonly at: number; readonly value: T } | null = null;
  return {
    latest: () => (latest !== null && performance.now() - latest.at < STALE_MS ? latest.value : null),
    refresh: async () => {
      latest = await query().then(
        (value) => ({ at: performance.now(), value }),
        () => null,
      );
    },
  };
}
