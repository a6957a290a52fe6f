import { MikroORM, type EntityManager } from '@mikro-orm/postgresql';
import { PostgresDialect } from 'kysely';
import type pg from 'pg';
import * as rows from './index.ts';

/** An entity manager with an identity map of its own, and the entities. */
export type Entities = typeof rows & { readonly em: EntityManager };

/** Makes entity managers whose statements run on the connections of a pool. */
export async function entitiesOn(pool: pg.Pool): Promise<() => Entities> {
  const { em } = await MikroORM.init({
    // MikroORM demands a name, and does not use it: the pool has the address.
    dbName: 'of the pool',
    driverOptions: new PostgresDialect({ pool }),
    entities: Object.values(rows),
    ensureDatabase: false,
    logger: () => undefined,
  });
  return () => ({ em: em.fork(), ...rows });
}
