import type { FamilyRef, SealedSecrets } from '@plugin-config/domain';
import { inTransaction } from '../postgres/in-transaction.ts';
import { run, type Statement } from '../postgres/statement.ts';
import type pg from 'pg';
import { LOCK_FAMILY } from '../writing/lock-families.ts';
import { write, type Raise } from '../writing/write.ts';
import { writeSecrets } from './sealed-secrets.ts';

/**
 * A resealed configuration: the same values, sealed in another way. Stored only if the revision is still the given one.
 */
export interface Resealed {
  readonly family: FamilyRef;
  readonly id: number;
  readonly configRevision: number;
  /** Null if it does not change. */
  readonly config: string | null;
  readonly secrets: SealedSecrets;
}

const resealing = (name: string, raises: Raise | null): Statement => ({
  name,
  text: write({
    update: {
      set: 'config = coalesce(c.config, r.config), secrets = c.secrets, config_revision = r.config_revision + 1',
      from: 'unnest($1::bigint[], $2::bigint[], $3::text[], $4::json[]) as c (id, config_revision, config, secrets)',
      where: 'r.id = c.id and r.config_revision = c.config_revision',
    },
    entries: null,
    raises,
    result: 'select w.id from written w',
  }),
});

/** Stores configurations whose text changes, because other values are secret now. */
const RESEAL_SHOWN = resealing('reseal_configurations', 'answers');
/** Stores secrets alone, which no answer shows. */
const RESEAL_HIDDEN = resealing('reseal_secrets', null);

/**
 * Stores resealed configurations family by family, and locks each family for one short transaction only. Skips a configuration
 * that has changed meanwhile. Resolves to the number of stored ones.
 */
export async function resealFamilies(pool: pg.Pool, resealed: readonly Resealed[]): Promise<number> {
  let stored = 0;
  for (const records of byFamily(resealed)) stored += await resealFamily(pool, records);
  return stored;
}

function byFamily(resealed: readonly Resealed[]): Iterable<readonly [Resealed, ...Resealed[]]> {
  const families = new Map<string, [Resealed, ...Resealed[]]>();
  for (const each of resealed) {
    const key = `${each.family.projectId}/${each.family.family}`;
    const others = families.get(key);
    if (others === undefined) families.set(key, [each]);
    else others.push(each);
  }
  return families.values();
}

async function resealFamily(pool: pg.Pool, records: readonly [Resealed, ...Resealed[]]): Promise<number> {
  const [{ family }] = records;
  return inTransaction(pool, 'begin', async (client) => {
    await run(client, LOCK_FAMILY, [family.projectId, family.family]);
    const shown = records.filter(({ config }) => config !== null);
    const hidden = records.filter(({ config }) => config === null);
    return (await reseal(client, RESEAL_SHOWN, shown)) + (await reseal(client, RESEAL_HIDDEN, hidden));
  });
}

async function reseal(
  client: pg.ClientBase,
  statement: Statement,
  records: readonly Resealed[],
): Promise<number> {
  if (records.length === 0) return 0;
  const stored = await run(client, statement, [
    records.map(({ id }) => id),
    records.map(({ configRevision }) => configRevision),
    records.map(({ config }) => config),
    records.map(({ secrets }) => writeSecrets(secrets)),
  ]);
  return stored.length;
}
