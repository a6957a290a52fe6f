import type { Configuration } from '@plugin-config/domain';
import type pg from 'pg';
import { numberAt, textAt } from '../cells.ts';
import { readSecrets, writeSecrets } from '../config-record/sealed-secrets.ts';
import { run, type Cells, type Statement } from '../statement.ts';

const MOST = 500;

export const ATTACHED: Statement = {
  name: 'configurations_of_plugin',
  text: `select r.id, r.config, r.secrets from config_record r
  where r.plugin = $1 and r.id > $2 order by r.id limit ${MOST}`,
};

const CONCEAL: Statement = {
  name: 'conceal_configurations',
  text: `update config_record r set config = c.config, secrets = c.secrets, config_revision = r.config_revision + 1
  from unnest($1::bigint[], $2::text[], $3::json[]) as c (id, config, secrets) where r.id = c.id`,
};

type Conceal = (configuration: Configuration) => Configuration;

/** Conceals the configurations of the records that attach a plugin, whose families are held, some at a time. */
export async function concealAttached(
  client: pg.ClientBase,
  plugin: number,
  conceal: Conceal,
): Promise<void> {
  for (let after = 0; ;) {
    const rows = await run(client, ATTACHED, [plugin, after]);
    const concealed = rows.flatMap((row) => concealedOf(row, conceal));
    if (concealed.length > 0) {
      const columns = [0, 1, 2].map((column) => concealed.map((values) => values[column] ?? null));
      await run(client, CONCEAL, columns);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < MOST) return;
    after = numberAt(last, 0);
  }
}

function concealedOf(row: Cells, conceal: Conceal): readonly (readonly [number, string, string])[] {
  const before = { config: textAt(row, 1), secrets: readSecrets(textAt(row, 2)) };
  const after = conceal(before);
  return after === before ? [] : [[numberAt(row, 0), after.config, writeSecrets(after.secrets)]];
}
