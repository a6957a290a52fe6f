import { setTimeout as sleep } from 'node:timers/promises';
import { skewProblem } from '@plugin-config/domain';
import { readClocks } from '@plugin-config/persistence';
import {
  databaseReadiness,
  gracefulEnd,
  listen,
  openLog,
  refuseToStart,
  stopRequest,
  watchKeys,
  unfitness,
} from '@plugin-config/server';
import { buildApp } from '../app.ts';
import { openServices } from '../container.ts';
import { appSettings, type Env } from '../env.ts';

/** What runs in the database by then is left to it. */
const LETTING_GO_MS = 1000;

/** Serves until it is asked to stop. */
export async function serve(env: Env): Promise<void> {
  const stopping = stopRequest();
  const { logger, flush } = openLog({ service: 'http', level: env.LOG_LEVEL });
  const { ports, secrets, database } = await openServices(env);
  await refuseToStart(async () => skewProblem(await readClocks(database)));
  await refuseToStart(() => unfitness(database));
  const keys = await watchKeys({ secrets, secretBox: ports.secretBox, logger });
  const databaseReady = databaseReadiness(database);
  const readiness = async () => (end.begun ? 'The service is shutting down.' : databaseReady());
  const app = buildApp({ ports, settings: appSettings(env), readiness, pool: database.pool, keys, logger });
  const end = gracefulEnd(app);
  const settings = { host: 'HOST', port: 'PORT' };
  const url = await listen(app, { host: env.HOST, port: env.PORT, settings });
  logger.info({ url }, 'listening');
  await stopping;
  logger.info('stopping');
  await end.begin();
  await Promise.race([database.close(), sleep(LETTING_GO_MS)]);
  logger.info('stopped');
  flush();
}
