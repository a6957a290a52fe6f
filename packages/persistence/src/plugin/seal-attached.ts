import {
  pluginInfo,
  registeredAgain,
  secretFields,
  type Conceal,
  type Family,
  type Plugin,
  type SealedPortion,
} from '@plugin-config/domain';
import type pg from 'pg';
import { noteKeys } from '../activity/note-keys.ts';
import { columns } from '../postgres/columns.ts';
import { resealFamilies, type Resealed } from '../configuration/reseal-families.ts';
import { readSecrets } from '../configuration/sealed-secrets.ts';
import { retryWhenBusy } from '../postgres/busy.ts';
import { run, type Statement } from '../postgres/statement.ts';

const MAX_RECORDS = 250;
/** The bytes that are stored within about 50 ms, while the family is locked. */
const MAX_BYTES = 1024 * 1024;

/** The columns of an attached record `r`. */
const RECORD = columns((row) => ({
  id: row.number('r.id'),
  family: { projectId: row.number('r.project_id'), family: row.text('r.family') as Family },
  configuration: { config: row.text('r.config'), secrets: readSecrets(row.json('r.secrets')) },
  configRevision: row.number('r.config_revision'),
}));

const PORTION = columns((row) => ({
  record: row.allOrNull(RECORD),
  isSame: row.flag('s.same'),
  revision: row.number('s.revision'),
}));

/** Reads the next attached records after the sealed ones, and whether the registration is still the same. */
export const ATTACHED: Statement = {
  name: 'attached_portion',
  text: `select ${PORTION.sql}
  from (
    select p.info = $2 as same, p.revision, p.sealed_up_to is null as done,
      coalesce(c.project_id, 0) as project_id, coalesce(c.family, '') as family, coalesce(c.id, 0) as id
    from plugin p left join config_record c on c.id = p.sealed_up_to where p.id = $1
  ) s
  left join lateral (
    select * from (
      select r.*, sum(r.bytes) over (order by r.project_id, r.family, r.id) - r.bytes as ahead
      from (
        select r.*, octet_length(r.config) + pg_column_size(r.secrets) as bytes from config_record r
        where not s.done and r.plugin = $1 and (r.project_id, r.family, r.id) > (s.project_id, s.family, s.id)
        order by r.project_id, r.family, r.id limit ${MAX_RECORDS}
      ) r
    ) r where r.ahead < ${MAX_BYTES}
  ) r on true
  order by r.project_id, r.family, r.id`,
};

/** Only for the registration whose portion was read: a later one, even of the same plugin, may have begun anew. */
const ADVANCE: Statement = {
  name: 'advance_sealing',
  text: `update plugin set sealed_up_to = $2 where id = $1 and revision = $3 returning id`,
};

export async function sealNext(
  pool: pg.Pool,
  plugin: Plugin,
  conceal: Conceal,
): Promise<SealedPortion | null> {
  const rows = await run(pool, ATTACHED, [plugin.id, pluginInfo(plugin)]);
  const portion = rows.map((row) => PORTION.read(row));
  const [first] = portion;
  if (first?.isSame !== true) throw registeredAgain(plugin);
  const advance = async (to: number | null): Promise<boolean> =>
    (await run(pool, ADVANCE, [plugin.id, to, first.revision])).length > 0;
  const records = portion.flatMap(({ record }) => record ?? []);
  const last = records.at(-1);
  if (last === undefined) return (await advance(null)) ? null : { records: 0, sealed: 0 };
  const resealed = records.flatMap((record) => concealed(record, conceal));
  // Also of records without such a value: their histories and editions may have one.
  await noteKeys(
    pool,
    records.map(({ id }) => id),
    secretFields(plugin),
  );
  const sealed = await retryWhenBusy(() => resealFamilies(pool, resealed));
  const isDone = sealed === resealed.length && (await advance(last.id));
  return { records: isDone ? records.length : 0, sealed };
}

function concealed(
  { configuration: before, ...record }: ReturnType<typeof RECORD.read>,
  conceal: Conceal,
): readonly Resealed[] {
  const configuration = conceal(before);
  return configuration === before ? [] : [{ ...record, ...configuration }];
}
