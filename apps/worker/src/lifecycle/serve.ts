import { setTimeout as sleep } from 'node:timers/promises';
import { dayTablesProblem, lockTableProblem } from '@plugin-config/persistence';
import {
  databaseReadiness,
  gracefulShutdown,
  listen,
  openGate,
  openLog,
  openThread,
  checkBeforeStart,
  checkServices,
  traceProcess,
  type CallerTimeouts,
  type Readiness,
} from '@plugin-config/server';
import { buildApp } from '../app.ts';
import { openServices, type Services } from '../container.ts';
import type { Env } from '../env.ts';
import { alertMeter } from '../observability/alert-meter.ts';
import { ingestMeter } from '../observability/ingest-meter.ts';
import { workerMetrics } from '../observability/worker-metrics.ts';
import { webhookMeter } from '../observability/webhook-meter.ts';
import { runLoops } from './run-loops.ts';

/** For received but unstored bodies. The share of an account has room for two bodies while they are unpacked. */
const MEMORY = { amount: 96 * 1024 * 1024, share: 48 * 1024 * 1024 };
const STOP_WITHIN_MS = 8_000;
const CLOSE_WITHIN_MS = 1000;

interface ServeOptions {
  readonly timeouts?: CallerTimeouts;
  readonly log?: typeof openLog;
}

/** Runs the worker until `stopped` resolves. Stores and acknowledges all messages received before that. */
export async function serve(
  env: Env,
  stopped: Promise<void>,
  { timeouts, log = openLog }: ServeOptions = {},
): Promise<void> {
  const tracing = await traceProcess('plugin-config-worker', env);
  const logger = log({ service: 'worker', level: env.LOG_LEVEL, tracing });
  const services = await openServices(env);
  const { database } = services;
  database.primary.onFailover((timeline) => logger.warn({ timeline }, 'the database has failed over'));
  await checkServices(services);
  await checkBeforeStart(() => dayTablesProblem(database));
  await checkBeforeStart(() => lockTableProblem(database, services));
  services.stream?.onProblem((reason) => {
    if (reason === null) logger.info('receiving messages from the stream');
    else logger.warn({ reason }, 'not receiving messages from the stream');
  });
  const gate = openGate({ poolSize: env.DATABASE_POOL_SIZE, streams: 0, memory: MEMORY });
  const metrics = workerMetrics({ ...services, gate });
  const ready = readiness(services);
  const app = buildApp({
    ...services,
    primary: database.primary,
    gate,
    thread: openThread(new URL('../thread.ts', import.meta.url)),
    metrics: metrics.registry,
    logger,
    ...(timeouts !== undefined && { timeouts }),
    readiness: async () => (shutdown.begun ? 'The service is shutting down.' : ready()),
  });
  const shutdown = gracefulShutdown(app);
  const settings = { host: 'WORKER_HOST', port: 'WORKER_PORT' };
  const url = await listen(app, { host: env.WORKER_HOST, port: env.WORKER_PORT, settings });
  const [stopping, closed] = [new AbortController(), new AbortController()];
  const meters = {
    meter: ingestMeter(metrics.registry),
    alertMeter: alertMeter(metrics.registry),
    webhookMeter: webhookMeter(metrics.registry),
  };
  const loops = runLoops(
    { ...services, ...meters, logger, refreshMetrics: metrics.refresh },
    { stopping: stopping.signal, closed: closed.signal },
  );
  logger.info({ url }, 'listening');
  await stopped;
  logger.info('stopping');
  const tooLong = sleep(STOP_WITHIN_MS);
  stopping.abort();
  await shutdown.begin();
  closed.abort();
  await Promise.race([loops, tooLong]);
  await Promise.race([Promise.all([close(services), tracing?.close()]), sleep(CLOSE_WITHIN_MS)]);
  logger.info('stopped');
}

/** Returns why the worker is not ready; null if it is. */
function readiness(services: Services): Readiness {
  const { database, stream } = services;
  const databaseReady = databaseReadiness(database);
  const locksReady = () => lockTableProblem(database, services);
  return async () =>
    (await databaseReady()) ??
    (await dayTablesProblem(database)) ??
    (await locksReady()) ??
    stream?.problem() ??
    null;
}

async function close({ stream, database, clickHouse }: Services): Promise<void> {
  await stream?.close();
  await Promise.all([database.close(), clickHouse?.close()]);
}
