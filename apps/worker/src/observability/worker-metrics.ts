import { setTimeout as sleep } from 'node:timers/promises';
import type { ByteBudget, DeadLetterStore, JobRunStore } from '@plugin-config/domain';
import { measurePool, type ConnectionPool } from '@plugin-config/service';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { JetStreamSource } from '../sources/jetstream/jetstream-source.ts';

interface Dependencies {
  readonly database: { readonly pool: ConnectionPool };
  readonly budget: ByteBudget;
  readonly jobs: Pick<JobRunStore, 'waiting'>;
  readonly letters: Pick<DeadLetterStore, 'count'>;
  /** Null where it is off. */
  readonly stream: Pick<JetStreamSource, 'lag'> | null;
}

/** Whoever asks for figures does not wait for a server that is away. */
const PATIENCE_MS = 1000;

/** What the process has to tell; what it cannot find out at the moment, it leaves out. */
export function workerMetrics({ database, budget, jobs, letters, stream }: Dependencies): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  measurePool(registry, database.pool);
  const gauge = (name: string, help: string, read: () => Promise<number>): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set(await Promise.race([read().catch(() => Number.NaN), sleep(PATIENCE_MS, Number.NaN)]));
      },
    });
  };
  gauge('ingest_bytes_in_flight', 'Bodies that are received and not stored yet.', async () => budget.used);
  gauge('dead_letters', 'Messages that could not be stored, and are kept.', () => letters.count());
  const waiting = shared(() => jobs.waiting());
  gauge('jobs_queued', 'Jobs that wait.', async () => (await waiting()).queued);
  gauge('jobs_running', 'Jobs that run.', async () => (await waiting()).running);
  if (stream !== null) {
    const lag = shared(() => stream.lag());
    gauge('stream_pending_messages', 'Messages that no worker has yet.', async () => (await lag()).pending);
    gauge(
      'stream_unacknowledged_messages',
      'Messages that a worker has, and has not stored yet.',
      async () => (await lag()).unacknowledged,
    );
  }
  return registry;
}

const FRESH_MS = 500;

/** Those who ask at about the same time get the same answer. */
function shared<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: { readonly at: number; readonly answer: Promise<T> } | undefined;
  return () => {
    const now = performance.now();
    if (asked === undefined || now - asked.at > FRESH_MS) asked = { at: now, answer: ask() };
    return asked.answer;
  };
}
