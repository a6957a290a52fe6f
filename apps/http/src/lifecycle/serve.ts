import { lookup } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { buildApp } from '../app.ts';
import { openServices } from '../container.ts';
import { appSettings, type Env } from '../env.ts';
import { databaseReadiness } from '../health/database-readiness.ts';
import { structuredLogger } from '../observability/logger.ts';
import { exitOnBug } from './exit-on-bug.ts';
import { gracefulEnd } from './graceful-end.ts';
import { refuseOldSchema } from './refuse-old-schema.ts';
import { stopRequest } from './stop-request.ts';

/** A write for each line would cost more than the line: they go out together, a moment later. */
const GATHERED = { sync: false, minLength: 4096, periodicFlush: 200 };
/** What runs in the database by then is left to it. */
const LETTING_GO_MS = 1000;

/** Serves until it is asked to stop. */
export async function serve(env: Env): Promise<void> {
  const stopping = stopRequest();
  const lines = pino.destination(GATHERED);
  lines.on('error', () => undefined);
  const logger = structuredLogger(env.LOG_LEVEL, lines);
  exitOnBug(logger, lines);
  const { ports, database } = await openServices(env);
  await refuseOldSchema(database);
  const databaseReady = databaseReadiness(database);
  const readiness = async () => (end.begun ? 'The service is shutting down.' : databaseReady());
  const app = buildApp({ ports, settings: appSettings(env), readiness, pool: database.pool, logger });
  const end = gracefulEnd(app);
  const { address: host } = await lookup(env.HOST);
  const url = await app.listen({ host, port: env.PORT });
  logger.info({ url }, 'listening');
  await stopping;
  logger.info('stopping');
  await end.begin();
  await Promise.race([database.close(), sleep(LETTING_GO_MS)]);
  logger.info('stopped');
  lines.flushSync();
}
