import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { WireHealth } from '@plugin-config/contract';
import { DomainError } from '@plugin-config/domain';
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { sendJson } from '../responses/send-json.ts';
import { collectedMetrics } from '../observability/collected-metrics.ts';

const LIVENESS_PATH = '/livez';
export const READINESS_PATH = '/readyz';
const METRICS_PATH = '/metrics';

/** Paths that are polled, and therefore not traced. */
export const OPERATOR_PATHS: ReadonlySet<string> = new Set([LIVENESS_PATH, READINESS_PATH, METRICS_PATH]);

/**
 * Resolves to the reason why the process is not ready; null if it is ready.
 * @throws DomainError `unavailable` if the database is unreachable
 */
export type Readiness = () => Promise<string | null>;

interface Dependencies {
  readonly readiness: Readiness;
  readonly metrics: Registry;
}

const OK: WireHealth = { status: 'ok' };

export function healthRoutes(app: FastifyInstance, { readiness, metrics }: Dependencies): void {
  app.get(LIVENESS_PATH, (_request, reply) => sendJson(reply, OK));

  const ready = shareConcurrent(readiness);
  app.get(READINESS_PATH, async (_request, reply) => {
    const reason = await ready();
    if (reason !== null) throw new DomainError('unavailable', reason);
    sendJson(reply, OK);
  });

  const { counter, gauge } = collectedMetrics(metrics);
  const { server } = app;
  gauge('http_connections', 'Open connections.', () => promisify(server.getConnections.bind(server))());
  let dropped = 0;
  server.on('drop', () => dropped++);
  counter(
    'http_connections_dropped_total',
    'New connections that were closed because the limit was reached.',
    () => dropped,
  );
  const text = shareConcurrent(() => metrics.metrics());
  app.get(METRICS_PATH, async (_request, reply) => {
    reply.header('content-type', metrics.contentType).header('cache-control', 'no-store');
    return reply.send(await text());
  });
}

/** The pause between two calls, so a flood of requests costs little. */
const PAUSE_MS = 50;

/** Shares one call among concurrent requests, because they need no key. */
function shareConcurrent<T>(call: () => Promise<T>): () => Promise<T> {
  let pending: Promise<T> | null = null;
  let paused: Promise<void> = Promise.resolve();
  return () =>
    (pending ??= paused.then(call).finally(() => {
      pending = null;
      paused = sleep(PAUSE_MS, undefined, { ref: false });
    }));
}
