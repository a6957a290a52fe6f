import type { Family, KeySet, Reseal, ResealedPortion, SecretStore } from '@plugin-config/domain';
import type pg from 'pg';
import { columns, textAt } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { retryWhenBusy } from '../postgres/busy.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { untilWritersEnd } from '../postgres/until-writers-end.ts';
import { resealFamilies, type Resealed } from './reseal-families.ts';
import { readSecrets, writeSecrets } from './sealed-secrets.ts';

const MAX_RECORDS = 250;
const MAX_BYTES = 1024 * 1024;
/** The limit of the wait for writes, whose commits may wait for a standby. */
const WAIT_MAX_MS = 30_000;
const SEALED = `r.secrets::text <> '{}'`;

/** Jumps through the index from one set of keys to the next: one lookup per set. Plugins are few. */
const KEY_SETS: Statement = {
  name: 'key_sets_in_use',
  text: `with recursive used as (
    (select secret_keys(r.secrets) as keys from config_record r where ${SEALED} order by secret_keys(r.secrets) limit 1)
    union all
    select next.keys from used u cross join lateral (
      select secret_keys(r.secrets) as keys from config_record r
      where ${SEALED} and secret_keys(r.secrets) > u.keys order by secret_keys(r.secrets) limit 1
    ) next
  )
  select u.keys from used u
  union
  select secret_keys(p.seed_secrets) from plugin p where p.seed_secrets::text <> '{}'`,
};

const COUNTS = columns((row) => ({
  records: row.number(
    `(select count(*) from config_record r where ${SEALED} and secret_keys(r.secrets) = $1)`,
  ),
  plugins: row.number(
    `(select count(*) from plugin p where p.seed_secrets::text <> '{}' and secret_keys(p.seed_secrets) = $1)`,
  ),
}));

const COUNT: Statement = {
  name: 'count_sealed',
  text: `select ${COUNTS.sql}`,
};

/** The columns of a record `r` with sealed secrets. */
const SEALED_RECORD = columns((row) => ({
  id: row.number('r.id'),
  family: { projectId: row.number('r.project_id'), family: row.text('r.family') as Family },
  secrets: readSecrets(row.json('r.secrets')),
  configRevision: row.number('r.config_revision'),
}));

export const SEALED_PORTION: Statement = {
  name: 'sealed_portion',
  text: `select ${SEALED_RECORD.sql} from (
    select r.*, sum(r.bytes) over (order by r.id) - r.bytes as ahead
    from (
      select r.*, pg_column_size(r.secrets) as bytes from config_record r
      where ${SEALED} and secret_keys(r.secrets) = $1 and r.id > $2
      order by r.id limit ${MAX_RECORDS}
    ) r
  ) r
  where r.ahead < ${MAX_BYTES}
  order by r.id`,
};

const SEED = columns((row) => ({ plugin: row.number('p.id'), secrets: row.text('p.seed_secrets') }));

const SEEDS: Statement = {
  name: 'sealed_seeds',
  text: `select ${SEED.sql} from plugin p
  where p.seed_secrets::text <> '{}' and secret_keys(p.seed_secrets) = $1`,
};

const RESEAL_SEED: Statement = {
  name: 'reseal_seed',
  text: `update plugin set seed_secrets = $3 where id = $1 and seed_secrets::text = $2 returning id`,
};

export function postgresSecretStore({ pool }: Pick<Database, 'pool'>): SecretStore {
  return {
    keySets: async () => (await run(pool, KEY_SETS, [])).map((row) => textAt(row, 0).split(',')),

    count: async (keys) => {
      const [row = []] = await run(pool, COUNT, [textOf(keys)]);
      return COUNTS.read(row);
    },

    resealNext: (keys, after, reseal) => resealNext(pool, { keys, after, reseal }),

    resealSeeds: async (keys, reseal) => {
      let resealed = 0;
      for (const row of await run(pool, SEEDS, [textOf(keys)])) {
        const { plugin, secrets } = SEED.read(row);
        const after = writeSecrets(reseal(readSecrets(JSON.parse(secrets))));
        resealed += (await run(pool, RESEAL_SEED, [plugin, secrets, after])).length;
      }
      return resealed;
    },

    untilWritesEnd: () => untilWritersEnd(pool, ['config_record', 'plugin'], WAIT_MAX_MS),
  };
}

interface Portion {
  readonly keys: KeySet;
  readonly after: number;
  readonly reseal: Reseal;
}

async function resealNext(pool: pg.Pool, { keys, after, reseal }: Portion): Promise<ResealedPortion | null> {
  const rows = await run(pool, SEALED_PORTION, [textOf(keys), after]);
  const records = rows.map((row) => SEALED_RECORD.read(row));
  const last = records.at(-1);
  if (last === undefined) return null;
  const resealed = records.map(({ secrets, ...record }): Resealed => ({
    ...record,
    config: null,
    secrets: reseal(secrets),
  }));
  return { last: last.id, resealed: await retryWhenBusy(() => resealFamilies(pool, resealed)) };
}

function textOf(keys: KeySet): string {
  return keys.join(',');
}
