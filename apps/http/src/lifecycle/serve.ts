import { setTimeout as sleep } from 'node:timers/promises';
import {
  databaseReadiness,
  gracefulShutdown,
  listen,
  checkServices,
  openLog,
  traceProcess,
} from '@plugin-config/server';
import { buildApp, type HttpTimeouts } from '../app.ts';
import { openServices } from '../container.ts';
import { appSettings, type Env } from '../env.ts';

/** Time to close database connections and send the last spans. */
const CLOSE_MS = 1000;

interface ServeOptions {
  readonly timeouts?: HttpTimeouts;
  /** Opens the log. Defaults to the log of the process. */
  readonly log?: typeof openLog;
}

/** Runs the app until `stopped` resolves. */
export async function serve(
  env: Env,
  stopped: Promise<void>,
  { timeouts, log = openLog }: ServeOptions = {},
): Promise<void> {
  const tracing = await traceProcess('plugin-config-http', env);
  const logger = log({ service: 'http', level: env.LOG_LEVEL, tracing });
  const { database, clickHouse, dryPorts, ...ports } = await openServices(env);
  database.primary.onFailover((timeline) => logger.warn({ timeline }, 'the database has failed over'));
  await checkServices({ database, clickHouse, clock: ports.clock });
  const databaseReady = databaseReadiness(database);
  const readiness = async () => (shutdown.begun ? 'The service is shutting down.' : databaseReady());
  const app = buildApp({
    ports,
    dryPorts,
    settings: appSettings(env),
    readiness,
    database,
    clickHouse,
    logger,
    ...(timeouts && { timeouts }),
  });
  const shutdown = gracefulShutdown(app);
  const settings = { host: 'HOST', port: 'PORT' };
  const url = await listen(app, { host: env.HOST, port: env.PORT, settings });
  logger.info({ url }, 'listening');
  await stopped;
  logger.info('stopping');
  app.endWaiting();
  await shutdown.begin();
  ports.wakeUps.close();
  const closed = Promise.all([database.close(), clickHouse?.close(), tracing?.close()]);
  await Promise.race([closed, sleep(CLOSE_MS)]);
  logger.info('stopped');
}
