import { timingSafeEqual } from 'node:crypto';
import {
  defaultsOf,
  NO_VALUES,
  NOT_REGISTERED,
  readValues,
  SERVICE,
  writeValues,
  type Attachment,
  type Registration,
  type Values,
} from '@plugin-config/domain';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { PLUGIN, versionHolding } from './plugin-columns.ts';
import { columns } from '../postgres/columns.ts';
import type { Primary } from '../postgres/primary.ts';
import { prepared, run } from '../postgres/statement.ts';
import { perTimeline } from '../postgres/timeline.ts';
import { decryptText, encryptText, type Ciphertext, type DataKey, type Place } from './ciphertext.ts';
import type { DataKeys } from './data-keys.ts';

/** Counts the registrations and removals of plugins. */
export const REGISTRY_VERSION = 'coalesce((select g.version from plugin_registry g where g.id = 1), 0)';

/** Says which registration of a plugin holds; null for the current one. */
export interface Held {
  readonly plugin: number;
  readonly schemaVersion: number | null;
  readonly pinnedVersion: string | null;
}

const REGISTRATION = columns((row) => ({
  place: row.number('w.place'),
  id: row.number('k.id'),
  schemaVersion: row.number('coalesce(v.schema_version, k.schema_version)'),
  version: row.textOrNull('coalesce(v.version, case when k.info is not null then k.version end)'),
  registryVersion: row.number('k.registry_version'),
  readAt: row.number(REGISTRY_VERSION),
  secretDefaults: row.textOrNull(
    'case when v.plugin is null then k.secret_defaults else v.secret_defaults end',
  ),
  secretNames: row.texts('k.secret_names'),
  plugin: row.allOrNull(PLUGIN),
}));

type RegistrationRow = ReturnType<typeof REGISTRATION.read>;

export const READ_REGISTRATIONS = prepared('read_registrations')`select ${REGISTRATION.sql}
  from unnest($1::integer[], $2::integer[], $3::text[]) with ordinality as w (plugin, schema_version, pinned_version, place)
  join plugin k on k.id = w.plugin
  left join ${versionHolding({
    plugin: 'k.id',
    current: 'k.schema_version',
    schemaVersion: 'w.schema_version',
    pinnedVersion: 'w.pinned_version',
  })} on true
  left join lateral (
    select k.id, k.slug, k.name, k.description, k.url, k.icon,
      case when v.plugin is null then k.config_schema else v.config_schema end as config_schema,
      case when v.plugin is null then k.jobs else v.jobs end as jobs,
      case when v.plugin is null then k.checks else v.checks end as checks
    where k.info is not null
  ) p on true`;

/** The maximum size of the cache, in characters plus an overhead per plugin. */
const CACHE_MAX_SIZE = 8 * 1024 * 1024;
const ENTRY_OVERHEAD = 200;

interface Cached {
  readonly registration: Registration;
  /** The registry version at which it was read. */
  readonly readAt: number;
  readonly size: number;
}

export interface Registrations {
  /** Reads the current registrations of these plugins. Returns a function that looks them up. */
  read(
    connection: pg.Pool | pg.ClientBase,
    plugins: readonly number[],
  ): Promise<(plugin: number) => Registration>;
  /** Reads the registrations that hold for records like these. Returns a function that looks them up. */
  readHeld(connection: pg.Pool | pg.ClientBase, held: readonly Held[]): Promise<(held: Held) => Registration>;
  /**
   * Loads the registrations of records that are not in memory. Returns a function that looks up that of a record, with the
   * secret names of its former plugins. They may be later than the record, but not earlier.
   */
  load(
    connection: pg.Pool | pg.ClientBase,
    records: readonly Attachment[],
  ): Promise<(record: Attachment) => Registration>;
}

export function newRegistrations(
  dataKeys: DataKeys,
  { primary }: { readonly primary: Pick<Primary, 'timeline'> },
): Registrations {
  const cacheOf = perTimeline(
    () =>
      new LRUCache<string, Cached>({
        maxSize: CACHE_MAX_SIZE,
        sizeCalculation: ({ size }) => size,
      }),
  );

  const read = async (
    connection: pg.Pool | pg.ClientBase,
    wanted: readonly Held[],
  ): Promise<(held: Held) => Registration> => {
    if (wanted.length === 0) return () => NOT_REGISTERED;
    const cache = cacheOf(primary.timeline);
    const parameters = [
      wanted.map(({ plugin }) => plugin),
      wanted.map(({ schemaVersion }) => schemaVersion),
      wanted.map(({ pinnedVersion }) => pinnedVersion),
    ];
    const rows = (await run(connection, READ_REGISTRATIONS, parameters)).map((row) => REGISTRATION.read(row));
    const hasSecrets = rows.some(({ secretDefaults }) => secretDefaults !== null);
    const keyOf = await dataKeys.load(connection, hasSecrets ? [SERVICE] : []);
    const readAt = rows[0]?.readAt ?? 0;
    const byPlace = new Map(rows.map((row) => [row.place - 1, row]));
    const found = new Map<string, Registration>();
    for (const [place, held] of wanted.entries()) {
      const row = byPlace.get(place);
      const registration = row === undefined ? NOT_REGISTERED : registrationIn(row, keyOf);
      found.set(keyOfHeld(held), registration);
      cache.set(keyOfHeld(held), { registration, readAt, size: sizeOf(registration) });
    }
    return (held) => found.get(keyOfHeld(held)) ?? NOT_REGISTERED;
  };

  return {
    async read(connection, plugins) {
      const registrationOf = await read(connection, plugins.map(currentOf));
      return (plugin) => registrationOf(currentOf(plugin));
    },
    readHeld: read,
    async load(connection, records) {
      const cache = cacheOf(primary.timeline);
      const found = new Map<string, Registration>();
      const missing = new Map<string, Held>();
      for (const record of records) {
        if (record.registryVersion === null) continue;
        for (const held of heldBy(record)) {
          const key = keyOfHeld(held);
          const cached = cache.get(key);
          if (cached === undefined || cached.readAt < record.registryVersion) missing.set(key, held);
          else found.set(key, cached.registration);
        }
      }
      const readOf = await read(connection, [...missing.values()]);
      return registrationOfRecord((held) => found.get(keyOfHeld(held)) ?? readOf(held));
    },
  };
}

function registrationIn(
  { id, version, registryVersion, schemaVersion, plugin, secretDefaults, secretNames }: RegistrationRow,
  keyOf: (projectId: number) => DataKey,
): Registration {
  const secrets = secretDefaults === null ? NO_VALUES : storedDefaults(keyOf(SERVICE), id, secretDefaults);
  const defaults = defaultsOf(plugin?.configSchema ?? [], secrets);
  return { plugin, version, registryVersion, schemaVersion, secretNames: new Set(secretNames), defaults };
}

export function currentOf(plugin: number): Held {
  return { plugin, schemaVersion: null, pinnedVersion: null };
}

function keyOfHeld({ plugin, schemaVersion, pinnedVersion }: Held): string {
  return pinnedVersion === null ? `${plugin} ${schemaVersion}` : `${plugin} @${pinnedVersion}`;
}

/** Returns a function that looks up the registration of a record, with the secret names of its former plugins. */
export function registrationOfRecord(
  registrationOf: (held: Held) => Registration,
): (record: Attachment) => Registration {
  return (record) => {
    if (record.registryVersion === null) return NOT_REGISTERED;
    const [current = NOT_REGISTERED, ...former] = heldBy(record).map(registrationOf);
    if (former.length === 0) return current;
    const names = [current, ...former].flatMap(({ secretNames }) => [...secretNames]);
    return { ...current, secretNames: new Set(names) };
  };
}

/** Returns the registration of a record's plugin, and those of its former plugins, of which only secret names matter. */
function heldBy({ plugin, schemaVersion, pinnedVersion, formerPlugins }: Attachment): readonly Held[] {
  return [{ plugin, schemaVersion, pinnedVersion }, ...formerPlugins.map(currentOf)];
}

export function pluginsOf({
  plugin,
  formerPlugins,
}: Pick<Attachment, 'plugin' | 'formerPlugins'>): readonly number[] {
  return [plugin, ...formerPlugins];
}

function sizeOf({ plugin, defaults, secretNames }: Registration): number {
  return JSON.stringify([plugin, [...defaults], [...secretNames]]).length + ENTRY_OVERHEAD;
}

/** Encrypts the secret defaults of a plugin with the data key of the service. */
export function encryptDefaults(key: DataKey, plugin: number, values: Values): Ciphertext {
  return encryptText(key, placeOf(plugin), writeValues(values));
}

/** Returns whether the stored secret defaults have these values. Compares in constant time. Without secret defaults, both are null. */
export function areStoredDefaults(
  key: DataKey | null,
  plugin: number,
  { stored, values }: { readonly stored: Ciphertext | null; readonly values: Values },
): boolean {
  if (stored === null || key === null) return stored === null && key === null;
  const [one, other] = [storedDefaults(key, plugin, stored), values].map((each) =>
    Buffer.from(writeValues(each)),
  );
  return one !== undefined && other?.length === one.length && timingSafeEqual(one, other);
}

/** Decrypts the secret defaults of a plugin, or of one of its versions. */
export function storedDefaults(key: DataKey, plugin: number, ciphertext: Ciphertext): Values {
  return readValues(decryptText(key, placeOf(plugin), ciphertext));
}

function placeOf(plugin: number): Place {
  return { projectId: SERVICE, column: 'plugin.secret_defaults', row: plugin };
}
