import { LockMode, MikroORM, type EntityManager } from '@mikro-orm/postgresql';
import { PostgresDialect } from 'kysely';
import type pg from 'pg';
import * as rows from './index.ts';

/** The entities, with an entity manager that has a new identity map. */
export type Entities = typeof rows & { readonly em: EntityManager; readonly LockMode: typeof LockMode };

/** Returns a factory of entity managers that use the connections of a pool. */
export async function entitiesOn(pool: pg.Pool): Promise<() => Entities> {
  const { em } = await MikroORM.init({
    // Required by MikroORM, but unused: the pool has the address.
    dbName: 'unused',
    driverOptions: new PostgresDialect({ pool }),
    entities: Object.values(rows),
    ensureDatabase: false,
    // Failed queries reject, and the caller logs that.
    logger: () => undefined,
  });
  return () => ({ em: em.fork(), LockMode, ...rows });
}
