import type { FamilyRef, SealedSecrets } from '@plugin-config/domain';
import { inTransaction } from '../postgres/in-transaction.ts';
import { run, type Cells, type Statement } from '../postgres/statement.ts';
import type pg from 'pg';
import { NEXT_REVISION, RAISE_REVISION } from '../schema/functions/raise-family.ts';
import { LOCK_FAMILY } from '../project/lock-families.ts';
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

/** Tells the trigger that the history is masked already: it would read the whole history while the family is locked. */
const BEGIN = 'begin; set local plugin_config.history = masked';

const RESEAL: Statement = {
  name: 'reseal_configurations',
  text: `update config_record r set config = coalesce(c.config, r.config), secrets = c.secrets, config_revision = r.config_revision + 1,
    family_revision = case when c.config is null then r.family_revision else ${NEXT_REVISION} end
  from unnest($1::bigint[], $2::bigint[], $3::text[], $4::json[]) as c (id, config_revision, config, secrets)
  where r.id = c.id and r.config_revision = c.config_revision
  returning r.id`,
};

const RAISE_FAMILY: Statement = {
  name: 'raise_family',
  text: `${RAISE_REVISION} where f.project_id = $1 and f.family = $2`,
};

/**
 * Stores resealed configurations family by family, and locks each family for one statement only. Skips a configuration
 * that has changed meanwhile. Resolves to the number of stored ones.
 */
export async function resealFamilies(pool: pg.Pool, resealed: readonly Resealed[]): Promise<number> {
  let stored = 0;
  for (const records of byFamily(resealed)) stored += await resealFamily(pool, records);
  return stored;
}

/** Raises the revision of a family: answers about it may change. */
export async function raiseFamily(
  on: pg.Pool | pg.ClientBase,
  { projectId, family }: FamilyRef,
): Promise<void> {
  await run(on, RAISE_FAMILY, [projectId, family]);
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
  const columns = [
    records.map(({ id }) => id),
    records.map(({ configRevision }) => configRevision),
    records.map(({ config }) => config),
    records.map(({ secrets }) => writeSecrets(secrets)),
  ];
  return inTransaction(pool, BEGIN, async (client) => {
    await run(client, LOCK_FAMILY, [family.projectId, family.family]);
    const stored: readonly Cells[] = await run(client, RESEAL, columns);
    if (records.some(({ config }) => config !== null)) await raiseFamily(client, family);
    return stored.length;
  });
}
