import type { WireHealth } from '@plugin-config/contract';
import { DomainError } from '@plugin-config/domain';
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { sendJson } from '../answers/send-json.ts';
import { gaugesOf } from '../observability/gauges-of.ts';
import type { RequestMeter } from '../observability/request-meter.ts';

export const READINESS_PATH = '/readyz';

/**
 * Why the process cannot do its work now; null where it can.
 * @throws DomainError `unavailable` where what it works with is out of reach
 */
export type Readiness = () => Promise<string | null>;

interface Dependencies {
  readonly readiness: Readiness;
  readonly meter: RequestMeter;
  readonly metrics: Registry;
}

const OK: WireHealth = { status: 'ok' };

export function healthRoutes(app: FastifyInstance, { readiness, meter, metrics }: Dependencies): void {
  app.get('/livez', (_request, reply) => sendJson(reply, OK));

  const ready = together(readiness);
  app.get(READINESS_PATH, async (_request, reply) => {
    const reason = await ready();
    if (reason !== null) throw new DomainError('unavailable', reason);
    sendJson(reply, OK);
  });

  const gauge = gaugesOf(metrics);
  gauge('http_connections', 'Connections that callers hold open.', () => app.connections.open);
  gauge(
    'http_connections_evicted',
    'Idle connections that were closed to make room for new ones, since the start.',
    () => app.connections.evicted,
  );
  app.get('/metrics', async (_request, reply) => {
    const text = meter.text() + (await metrics.metrics());
    return reply.header('content-type', metrics.contentType).header('cache-control', 'no-store').send(text);
  });
}

/** Those who ask while an answer is being found wait for the same one: anybody may ask, without a key. */
function together(readiness: Readiness): Readiness {
  let asked: Promise<string | null> | null = null;
  return () => (asked ??= readiness().finally(() => (asked = null)));
}
