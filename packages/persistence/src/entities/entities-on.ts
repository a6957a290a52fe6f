import { LockMode, MikroORM, type EntityManager } from '@mikro-orm/postgresql';
import { PostgresDialect } from 'kysely';
import type pg from 'pg';
import * as rows from './index.ts';
import { ormLogger, type OrmWarning } from './orm-logger.ts';

/** The entities, with an entity manager that has a new identity map. */
export type Entities = typeof rows & { readonly em: EntityManager; readonly LockMode: typeof LockMode };

/** Longer queries are reported as slow. */
const SLOW_MS = 1000;

/** Returns a factory of entity managers that use the connections of a pool. */
export async function entitiesOn(
  pool: pg.Pool,
  onWarning: (warning: OrmWarning) => void,
): Promise<() => Entities> {
  const { em } = await MikroORM.init({
    // Required by MikroORM, but unused: the pool has the address.
    dbName: 'unused',
    driverOptions: new PostgresDialect({ pool }),
    entities: Object.values(rows),
    ensureDatabase: false,
    loggerFactory: () => ormLogger(onWarning),
    slowQueryThreshold: SLOW_MS,
  });
  return () => ({ em: em.fork(), LockMode, ...rows });
}
