import { setTimeout as sleep } from 'node:timers/promises';
import { skewProblem } from '@plugin-config/domain';
import { clickHouseProblem } from '@plugin-config/clickhouse';
import { databaseProblem, masterKeysProblem } from '@plugin-config/persistence';
import {
  databaseReadiness,
  gracefulShutdown,
  listen,
  logDatabase,
  openLog,
  checkBeforeStart,
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
  logDatabase(logger, database);
  // This comes first: other queries are prepared statements, which fail behind an unsupported pooler.
  await checkBeforeStart(() => databaseProblem(database));
  await checkBeforeStart(() => masterKeysProblem(database));
  await checkBeforeStart(async () => skewProblem(await ports.clock.set()));
  await checkBeforeStart(async () => clickHouse && clickHouseProblem(clickHouse));
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
