import type { FamilyRef, SealedSecrets } from '@plugin-config/domain';
import { inTransaction } from '../postgres/in-transaction.ts';
import { run, type Cells, type Statement } from '../postgres/statement.ts';
import type pg from 'pg';
import { HOLD_FAMILY } from '../project/lock-families.ts';
import { writeSecrets } from './sealed-secrets.ts';

/** A configuration that replaces the one of the given revision, with the same values sealed in another way. */
export interface Resealed {
  readonly family: FamilyRef;
  readonly id: number;
  readonly configRevision: number;
  /** Null where it stays as it is. */
  readonly config: string | null;
  readonly secrets: SealedSecrets;
}

/** The history was masked before, or need not be: the trigger would read all of it while the family is held. */
const BEGIN = 'begin; set local plugin_config.history = masked';

const RESEAL: Statement = {
  name: 'reseal_configurations',
  text: `update config_record r set config = coalesce(c.config, r.config), secrets = c.secrets, config_revision = r.config_revision + 1
  from unnest($1::bigint[], $2::bigint[], $3::text[], $4::json[]) as c (id, config_revision, config, secrets)
  where r.id = c.id and r.config_revision = c.config_revision
  returning r.id`,
};

const RAISE_FAMILY: Statement = {
  name: 'raise_family',
  text: `update config_family f set revision = f.revision + 1 where f.project_id = $1 and f.family = $2`,
};

/**
 * Stores resealed configurations, family by family, and holds each family for the one statement alone. Resolves to how
 * many were stored: a configuration that somebody has changed meanwhile stays as it is.
 */
export async function resealFamilies(pool: pg.Pool, resealed: readonly Resealed[]): Promise<number> {
  let stored = 0;
  for (const records of byFamily(resealed)) stored += await resealFamily(pool, records);
  return stored;
}

/** An answer about the family may be another from now on. */
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
    await run(client, HOLD_FAMILY, [family.projectId, family.family]);
    const stored: readonly Cells[] = await run(client, RESEAL, columns);
    if (records.some(({ config }) => config !== null)) await raiseFamily(client, family);
    return stored.length;
  });
}
