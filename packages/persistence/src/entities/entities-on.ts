import { LockMode, MikroORM, type EntityManager } from '@mikro-orm/postgresql';
import { PostgresDialect } from 'kysely';
import type pg from 'pg';
import * as rows from './index.ts';
import { ormLogger, type OrmWarning } from './orm-logger.ts';

/** An entity manager with an identity map of its own, the entities, and how rows are locked. */
export type Entities = typeof rows & { readonly em: EntityManager; readonly LockMode: typeof LockMode };

/** A query that takes longer is told as slow. */
const SLOW_MS = 1000;

/** Makes entity managers whose statements run on the connections of a pool. */
export async function entitiesOn(
  pool: pg.Pool,
  onWarning: (warning: OrmWarning) => void,
): Promise<() => Entities> {
  const { em } = await MikroORM.init({
    // MikroORM demands a name, and does not use it: the pool has the address.
    dbName: 'of the pool',
    driverOptions: new PostgresDialect({ pool }),
    entities: Object.values(rows),
    ensureDatabase: false,
    loggerFactory: () => ormLogger(onWarning),
    slowQueryThreshold: SLOW_MS,
  });
  return () => ({ em: em.fork(), LockMode, ...rows });
}
