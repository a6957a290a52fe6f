import {
  pluginInfo,
  registeredAnew,
  secretKeys,
  type Conceal,
  type Family,
  type Plugin,
  type SealedPortion,
} from '@plugin-config/domain';
import type pg from 'pg';
import { flagAt, numberAt, textAt } from '../postgres/cells.ts';
import { resealFamilies, type Resealed } from '../configuration/reseal-families.ts';
import { readSecrets } from '../configuration/sealed-secrets.ts';
import { insist } from '../postgres/insist.ts';
import { run, type Cells, type Statement } from '../postgres/statement.ts';
import { maskHistory } from '../activity/mask-history.ts';

const MOST_RECORDS = 250;
/** So much is stored within some 50 ms, in which a family is held. */
const MOST_BYTES = 1024 * 1024;

/** The next attached records after those that are sealed, and whether the plugin is still what was registered. */
export const ATTACHED: Statement = {
  name: 'attached_portion',
  text: `select s.same, r.id, r.project_id, r.family, r.config, r.secrets, r.config_revision
  from (
    select p.info = $2 as same,
      coalesce(c.project_id, 0) as project_id, coalesce(c.family, '') as family, coalesce(c.id, 0) as id
    from plugin p left join config_record c on c.id = p.sealed_up_to where p.id = $1
  ) s
  left join lateral (
    select * from (
      select r.*, sum(r.bytes) over (order by r.project_id, r.family, r.id) - r.bytes as ahead
      from (
        select r.*, octet_length(r.config) + pg_column_size(r.secrets) as bytes from config_record r
        where r.plugin = $1 and (r.project_id, r.family, r.id) > (s.project_id, s.family, s.id)
        order by r.project_id, r.family, r.id limit ${MOST_RECORDS}
      ) r
    ) r where r.ahead < ${MOST_BYTES}
  ) r on true
  order by r.project_id, r.family, r.id`,
};

const GO_ON: Statement = {
  name: 'go_on_sealing',
  text: `update plugin set sealed_up_to = $2 where id = $1 and info = $3`,
};

export async function sealNext(
  pool: pg.Pool,
  plugin: Plugin,
  conceal: Conceal,
): Promise<SealedPortion | null> {
  const info = pluginInfo(plugin);
  const rows = await run(pool, ATTACHED, [plugin.id, info]);
  const [first] = rows;
  const last = rows.at(-1);
  if (first === undefined || last === undefined || !flagAt(first, 0)) throw registeredAnew(plugin);
  if (first[1] === null) return null;
  const resealed = rows.flatMap((row) => concealed(row, conceal));
  const records = rows.map((row) => numberAt(row, 1));
  await insist(() => maskHistory(pool, records, secretKeys(plugin)));
  const sealed = await insist(() => resealFamilies(pool, resealed));
  if (sealed < resealed.length) return { records: 0, sealed };
  await run(pool, GO_ON, [plugin.id, numberAt(last, 1), info]);
  return { records: records.length, sealed };
}

function concealed(row: Cells, conceal: Conceal): readonly Resealed[] {
  const before = { config: textAt(row, 4), secrets: readSecrets(textAt(row, 5)) };
  const configuration = conceal(before);
  if (configuration === before) return [];
  const family = { projectId: numberAt(row, 2), family: textAt(row, 3) as Family };
  return [{ family, id: numberAt(row, 1), configRevision: numberAt(row, 6), ...configuration }];
}
