import {
  MANAGED_LIVE_MAX,
  MANAGED_MAX_BYTES,
  perFamily,
  tooLargeToManage,
  type Base,
  type Family,
  type ManagedScope,
  type ManagedState,
  type OwnedRecord,
} from '@plugin-config/domain';
import type pg from 'pg';
import { OVERHEAD_BYTES } from '../configuration/ciphertext.ts';
import type { Configurations } from '../configuration/configurations.ts';
import { EVERY_FAMILY } from '../entities/families-in-sql.ts';
import { columns, numberAt } from '../postgres/columns.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { RECORD } from '../record/record-columns.ts';

/** Selects the last entry in the history of a record. The range makes PostgreSQL use the index. */
export const lastEntryOf = (record: string): string => `coalesce((
    select a.id from activity a where a.record_id between ${record} and ${record} order by a.record_id desc, a.id desc limit 1
  ), 0)`;

const BASE = columns((row) => ({
  family: row.text('f.family') as Family,
  listVersion: row.number('f.list_version'),
  entry: row.number(`coalesce((
    select max(${lastEntryOf('r.id')}) from config_record r where r.project_id = f.project_id and r.family = f.family
  ), 0)`),
}));

const BASES: Statement = {
  name: 'bases_of_families',
  text: `select ${BASE.sql} from config_family f where f.project_id = $1`,
};

const POSITION = columns((row) => ({
  family: row.text('r.family'),
  id: row.number('r.id'),
  order: row.number('r.position'),
}));

const LIVE_POSITIONS: Statement = {
  name: 'live_positions',
  text: `select ${POSITION.sql} from config_record r
  where r.project_id = $1 and r.family in (${EVERY_FAMILY}) and not r.deleted
  order by r.family, r.position, r.id limit ${2 * MANAGED_LIVE_MAX + 1}`,
};

/** The ownerships `m` of one manager, joined with the records `r`. */
const OF_MANAGER = `managed_record m
  join lateral (select * from config_record r where r.id = m.record_id limit 1) r on true
  where m.project_id = $1 and m.family in (${EVERY_FAMILY}) and m.manager = $2`;

const OWNED_BYTES: Statement = {
  name: 'owned_bytes',
  text: `select coalesce(sum(octet_length(r.config) - ${OVERHEAD_BYTES}), 0) from ${OF_MANAGER}`,
};

const OWNED = columns((row) => ({
  key: row.text('m.key'),
  preventDestroy: row.flag('m.prevent_destroy'),
  isAsApplied: row.flag('m.applied_version = r.version'),
  stored: row.all(RECORD),
}));

const OWNED_RECORDS: Statement = {
  name: 'owned_records',
  text: `select ${OWNED.sql} from (
    select m.key, m.prevent_destroy, m.applied_version, r.* from ${OF_MANAGER}
  ) r
  cross join lateral (select r.key, r.prevent_destroy, r.applied_version) m
  left join lateral (
    select null::text as info, p.registry_version from plugin p where p.id = r.plugin limit 1
  ) i on true
  order by r.id`,
};

interface Dependencies {
  readonly timelineId: string;
  readonly configurations: Configurations;
}

export async function readManagedState(
  client: pg.ClientBase,
  { timelineId, configurations }: Dependencies,
  { projectId, manager, plugins: requested }: ManagedScope,
): Promise<ManagedState> {
  const families = await readBases(client, projectId);
  const [bytes = []] = await run(client, OWNED_BYTES, [projectId, manager]);
  if (numberAt(bytes, 0) > MANAGED_MAX_BYTES) throw tooLargeToManage();
  const rows = await run(client, OWNED_RECORDS, [projectId, manager]);
  const read = rows.map((row) => OWNED.read(row));
  const owned = await ownedRecords(client, configurations, { projectId, read });
  const attached = owned.map(({ record }) => record.plugin);
  const ids = [...new Set([...requested, ...attached])];
  const registrationOf = await configurations.registrations.read(client, ids);
  const plugins = new Map(ids.map((id) => [id, registrationOf(id)]));
  const positions = (await run(client, LIVE_POSITIONS, [projectId])).map((row) => POSITION.read(row));
  const records = perFamily((family) => ({
    live: positions.filter((position) => position.family === family),
    owned: owned.filter(({ record }) => record.family === family),
  }));
  if (Object.values(records).some(({ live }) => live.length > MANAGED_LIVE_MAX)) throw tooLargeToManage();
  const versions = [...plugins.values()].map(({ version }) => version ?? 0);
  const base = { timelineId, families, plugins: Math.max(0, ...versions) };
  return { base, families: records, plugins };
}

interface Owned {
  readonly projectId: number;
  readonly read: readonly ReturnType<typeof OWNED.read>[];
}

async function ownedRecords(
  client: pg.ClientBase,
  configurations: Configurations,
  { projectId, read }: Owned,
): Promise<readonly OwnedRecord[]> {
  const stored = read.map((each) => each.stored);
  const masked = (await configurations.mask(client, stored)).values();
  const registrationOf = await configurations.registrations.load(client, stored);
  const decrypt = await configurations.decryptValues(client, projectId);
  return read.flatMap(({ stored: record, ...ownership }) => {
    const { value } = masked.next();
    return value === undefined
      ? []
      : {
          ...ownership,
          record: value,
          secretNames: registrationOf(record).secretNames,
          values: decrypt(record),
        };
  });
}

export async function readBases(client: pg.ClientBase, projectId: number): Promise<Base['families']> {
  const rows = (await run(client, BASES, [projectId])).map((row) => BASE.read(row));
  const bases = new Map(rows.map(({ family, ...base }) => [family, base]));
  return perFamily((family) => bases.get(family) ?? { listVersion: 0, entry: 0 });
}
