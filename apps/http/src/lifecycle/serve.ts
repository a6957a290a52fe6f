import { setTimeout as sleep } from 'node:timers/promises';
import { skewProblem } from '@plugin-config/domain';
import { clickHouseProblem } from '@plugin-config/clickhouse';
import {
  clickHouseReadiness,
  databaseReadiness,
  gracefulShutdown,
  listen,
  logFailovers,
  openLog,
  refuseToStart,
  stopSignal,
  traceProcess,
  watchSecretKeys,
  databaseProblem,
} from '@plugin-config/server';
import { buildApp, type HttpTimeouts } from '../app.ts';
import { openServices } from '../container.ts';
import { appSettings, type Env } from '../env.ts';

/** The longest wait for the database connections to close and for the last spans to be sent. */
const CLOSE_MS = 1000;

/** Runs the app until a stop signal. */
export async function serve(env: Env, timeouts?: HttpTimeouts): Promise<void> {
  const stopping = stopSignal();
  const tracing = await traceProcess('plugin-config-http', env);
  const { logger, flush } = openLog({ service: 'http', level: env.LOG_LEVEL, tracing });
  const { database, clickHouse, secrets, ...ports } = await openServices(env);
  logFailovers(logger, database);
  await refuseToStart(async () => skewProblem(await ports.clock.set()));
  await refuseToStart(() => databaseProblem(database));
  await refuseToStart(async () => clickHouse && clickHouseProblem(clickHouse));
  const keys = await watchSecretKeys({ secrets, secretBox: ports.secretBox, logger });
  const [databaseReady, clickHouseReady] = [databaseReadiness(database), clickHouseReadiness(clickHouse)];
  const readiness = async () =>
    shutdown.begun ? 'The service is shutting down.' : ((await databaseReady()) ?? clickHouseReady());
  const app = buildApp({
    ports,
    settings: appSettings(env),
    readiness,
    database,
    keys,
    logger,
    ...(timeouts && { timeouts }),
  });
  const shutdown = gracefulShutdown(app);
  const settings = { host: 'HOST', port: 'PORT' };
  const url = await listen(app, { host: env.HOST, port: env.PORT, settings });
  logger.info({ url }, 'listening');
  await stopping;
  logger.info('stopping');
  app.streams.shutDown();
  await shutdown.begin();
  ports.wakeUps.close();
  const closed = Promise.all([database.close(), clickHouse?.close(), tracing?.close()]);
  await Promise.race([closed, sleep(CLOSE_MS)]);
  logger.info('stopped');
  flush();
}
