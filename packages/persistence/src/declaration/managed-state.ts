import {
  MANAGED_LIVE_MAX,
  MANAGED_MAX_BYTES,
  perFamily,
  pinKey,
  tooLargeToManage,
  type Base,
  type Family,
  type ManagedScope,
  type ManagedState,
  type Pin,
} from '@plugin-config/domain';
import type pg from 'pg';
import { OVERHEAD_BYTES } from '../configuration/ciphertext.ts';
import { EMPTY, type Configurations } from '../configuration/configurations.ts';
import { currentOf, pluginsOf, registrationOfRecord, type Held } from '../configuration/registrations.ts';
import { ConfigRecordRow } from '../entities/config-record.row.ts';
import { EVERY_FAMILY } from '../entities/families-in-sql.ts';
import { PluginVersionRow } from '../entities/plugin.row.ts';
import { columns, numberAt } from '../postgres/columns.ts';
import { prepared, run } from '../postgres/statement.ts';
import { fieldsOf } from '../postgres/table.ts';
import { RECORD, recordOfId } from '../record/record-columns.ts';

/** Selects the last entry in the history of a record. The range makes PostgreSQL use the index. */
export const lastEntryOf = (record: string): string => `coalesce((
    select a.id from activity a where a.record_id between ${record} and ${record} order by a.record_id desc, a.id desc limit 1
  ), 0)`;

const BASE = columns((row) => ({
  family: row.text('f.family') as Family,
  listVersion: row.number('f.list_version - f.write_backs'),
  entry: row.number(`coalesce((
    select max(${lastEntryOf('r.id')}) from config_record r where r.project_id = f.project_id and r.family = f.family
  ), 0)`),
}));

const BASES = prepared('bases_of_families')`select ${BASE.sql} from config_family f where f.project_id = $1`;

const POSITION = fieldsOf(ConfigRecordRow, 'r', ['family', 'id', 'order']);

const LIVE_POSITIONS = prepared('live_positions')`select ${POSITION.sql} from config_record r
  where r.project_id = $1 and r.family in (${EVERY_FAMILY}) and not r.deleted
  order by r.family, r.position, r.id limit ${2 * MANAGED_LIVE_MAX + 1}`;

/** The ownerships `m` of one manager, and their records `r`. */
const OWNED_RECORDS = `managed_record m join ${recordOfId('m.record_id')} on true`;
const OF_MANAGER = `m.project_id = $1 and m.family in (${EVERY_FAMILY}) and m.manager = $2`;

const OWNED_BYTES = prepared('owned_bytes')`
  select coalesce(sum(octet_length(r.config) - ${OVERHEAD_BYTES}), 0) from ${OWNED_RECORDS} where ${OF_MANAGER}`;

const OWNED = columns((row) => ({
  key: row.text('m.key'),
  preventDestroy: row.flag('m.prevent_destroy'),
  isAsApplied: row.flag('m.applied_version = r.version'),
  stored: row.all(RECORD),
}));

/** Without the texts of the plugins, which `Registrations` reads once. */
const READ_OWNED = prepared('owned_records')`select ${OWNED.sql} from ${OWNED_RECORDS}
  left join lateral (
    select null::text as info, p.registry_version from plugin p where p.id = r.plugin limit 1
  ) i on true
  where ${OF_MANAGER} order by r.id`;

export async function readManagedState(
  client: pg.ClientBase,
  { configurations }: { readonly configurations: Configurations },
  { projectId, manager, plugins: requested, pins: declared }: ManagedScope,
): Promise<ManagedState> {
  const bases = await readBases(client, projectId);
  const [bytes = []] = await run(client, OWNED_BYTES, [projectId, manager]);
  if (numberAt(bytes, 0) > MANAGED_MAX_BYTES) throw tooLargeToManage();
  const rows = (await run(client, READ_OWNED, [projectId, manager])).map((row) => OWNED.read(row));
  const attached = rows.flatMap(({ stored }) => pluginsOf(stored));
  const ids = [...new Set([...requested, ...attached])];
  const owning = rows.flatMap(({ stored: { plugin, pinnedVersion: version } }) =>
    version === null ? [] : [{ plugin, version }],
  );
  const pinned = await readPinned(client, [...declared, ...owning]);
  const registrationOf = await configurations.registrations.readHeld(client, [
    ...ids.map(currentOf),
    ...pinned.map(heldBy),
  ]);
  const decrypt = await configurations.decryptValues(client, [projectId]);
  const shownBy = registrationOfRecord(({ plugin }) => registrationOf(currentOf(plugin)));
  const owned = rows.map(({ stored, ...ownership }) => ({
    ...ownership,
    record: { ...stored, config: EMPTY },
    secretNames: shownBy(stored).secretNames,
    values: decrypt(stored),
  }));
  const positions = (await run(client, LIVE_POSITIONS, [projectId])).map((row) => POSITION.read(row));
  const families = perFamily((family) => ({
    live: positions.filter((position) => position.family === family),
    owned: owned.filter(({ record }) => record.family === family),
  }));
  if (Object.values(families).some(({ live }) => live.length > MANAGED_LIVE_MAX)) throw tooLargeToManage();
  const plugins = new Map(ids.map((id) => [id, registrationOf(currentOf(id))]));
  const versions = new Map(
    pinned.map((pin) => [pinKey(pin), { ...pin, registration: registrationOf(heldBy(pin)) }]),
  );
  const registered = [...plugins.values()].map(({ registryVersion }) => registryVersion ?? 0);
  return { base: { families: bases, plugins: Math.max(0, ...registered) }, families, plugins, versions };
}

const PINNED = fieldsOf(PluginVersionRow, 'v', ['plugin', 'version', 'state']);

const READ_PINNED = prepared('pinned_versions')`select ${PINNED.sql}
  from (select distinct u.* from unnest($1::integer[], $2::text[]) as u (plugin, version)) u
  join plugin_version v on v.plugin = u.plugin and v.version = u.version`;

/** Returns those of the versions that exist. */
async function readPinned(client: pg.ClientBase, pins: readonly Pin[]) {
  if (pins.length === 0) return [];
  const parameters = [pins.map(({ plugin }) => plugin), pins.map(({ version }) => version)];
  return (await run(client, READ_PINNED, parameters)).map((row) => PINNED.read(row));
}

function heldBy({ plugin, version }: Pin): Held {
  return { plugin, schemaVersion: null, pinnedVersion: version };
}

export async function readBases(client: pg.ClientBase, projectId: number): Promise<Base['families']> {
  const rows = (await run(client, BASES, [projectId])).map((row) => BASE.read(row));
  const bases = new Map(rows.map(({ family, ...base }) => [family, base]));
  return perFamily((family) => bases.get(family) ?? { listVersion: 0, entry: 0 });
}
