import {
  contentTooLarge,
  readValues,
  RUNTIME_LIMITS,
  withDefaults,
  type FamilyRef,
  type Registration,
  type RuntimeConfigurations,
  type RuntimeLimits,
  type RuntimeRecord,
  type RuntimeVersion,
} from '@plugin-config/domain';
import { readingPauses } from '@plugin-config/flow/node';
import { OVERHEAD_BYTES } from '../configuration/ciphertext.ts';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { columns } from '../postgres/columns.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { perTimeline, type Timeline } from '../postgres/timeline.ts';
import { NO_VERSIONS, VERSIONS } from '../record/family-versions.ts';

/** The fields that determine the version: what runtimes get, but with the version of each configuration instead of its text. */
const SHOWN = columns((row) => ({
  id: row.number('r.id'),
  plugin: row.number('r.plugin'),
  pluginName: row.textOrNull('p.name'),
  pluginSlug: row.textOrNull('p.slug'),
  name: row.textOrNull('r.name'),
  order: row.number('r.position'),
  valid: row.flag('not r.invalid'),
  configVersion: row.number('r.config_version'),
}));

const SIZED = columns((row) => ({
  versions: row.all(VERSIONS),
  count: row.number('s.count'),
  bytes: row.number('s.bytes'),
  shown: row.allOrNull(SHOWN),
  pluginVersion: row.numberOrNull('p.registry_version'),
}));

const READ = columns((row) => ({
  sized: row.all(SIZED),
  config: row.textOrNull('r.config'),
}));

const VERSIONS_OF_FAMILY: Statement = {
  name: 'runtime_versions',
  text: `select ${VERSIONS.sql} from config_family f where f.project_id = $1 and f.family = $2`,
};

const ENABLED = `config_record r left join plugin p on p.id = r.plugin
    where r.project_id = $1 and r.family = $2 and r.enabled and not r.deleted`;

/** Selects the enabled records, unless there are more than $3 or they have more than $4 bytes. */
const recordsWith = (select: string): string => `select ${select}
  from config_family f
  cross join (
    select count(*) as count, coalesce(sum(coalesce(octet_length(r.config) - ${OVERHEAD_BYTES}, 0) + coalesce(p.defaults_bytes, 0)), 0) as bytes
    from ${ENABLED}
  ) s
  left join (select r.* from ${ENABLED}) r on s.count <= $3 and s.bytes <= $4
  left join plugin p on p.id = r.plugin
  where f.project_id = $1 and f.family = $2
  order by r.position, r.id`;

const RUNTIME_VERSION: Statement = { name: 'runtime_version', text: recordsWith(SIZED.sql) };
const RUNTIME_CONFIGURATION: Statement = {
  name: 'runtime_configuration',
  text: recordsWith(READ.sql),
};

const UNREGISTERED = { plugin: 0, formerPlugins: [], pluginVersion: null };

type Sized = ReturnType<typeof SIZED.read>;

export function postgresRuntimeConfigurations(
  { pool, primary, configurations }: Pick<EncryptedDatabase, 'pool' | 'primary' | 'configurations'>,
  limits: RuntimeLimits = RUNTIME_LIMITS,
): RuntimeConfigurations {
  const maxBytes = limits.mib * 1024 * 1024;
  const parametersOf = ({ projectId, family }: FamilyRef) => [projectId, family, limits.records, maxBytes];
  const registrationsOf = async (rows: readonly Sized[]): Promise<(plugin: number) => Registration> => {
    if (rows.some(({ count, bytes }) => count > limits.records || bytes > maxBytes))
      throw contentTooLarge(limits);
    const records = new Map(
      rows.flatMap(({ shown, pluginVersion }) =>
        shown === null ? [] : [[shown.plugin, { plugin: shown.plugin, formerPlugins: [], pluginVersion }]],
      ),
    );
    const registrationOf = await configurations.registrations.load(pool, [...records.values()]);
    return (plugin) => registrationOf(records.get(plugin) ?? UNREGISTERED);
  };
  /** Returns a keyed digest of the fields and defaults, which reveals nothing without the key. */
  const versionOf = async (
    { projectId, family }: FamilyRef,
    timeline: Timeline,
    rows: readonly Sized[],
    registrationOf: (plugin: number) => Registration,
  ): Promise<string> => {
    const shown = rows.flatMap((row) => row.shown ?? []);
    const plugins = new Set(shown.map(({ plugin }) => plugin));
    const defaults = [...plugins].map((plugin) => [...registrationOf(plugin).defaults]);
    const fingerprint = await configurations.fingerprinter(pool, projectId);
    const records = shown.map((record) => Object.values(record));
    return fingerprint(JSON.stringify(['runtime', timeline.id, family, records, defaults]));
  };
  /** The versions that were read on each timeline. On another one, the counters may repeat with other contents. */
  const versionsOn = perTimeline(() => new WeakSet<RuntimeVersion>());
  const found = (timeline: Timeline, version: RuntimeVersion): RuntimeVersion => {
    versionsOn(timeline).add(version);
    return version;
  };
  return {
    version: async (family, previous) => {
      if (previous !== null) {
        const [row] = await run(pool, VERSIONS_OF_FAMILY, [family.projectId, family.family]);
        const versions = row === undefined ? NO_VERSIONS : VERSIONS.read(row);
        const isCurrent =
          versionsOn(primary.timeline).has(previous) &&
          previous.listVersion === versions.listVersion &&
          previous.registryVersion === versions.registryVersion;
        if (isCurrent) return found(primary.timeline, { ...previous, ...versions });
      }
      const rows = (await run(pool, RUNTIME_VERSION, parametersOf(family))).map((row) => SIZED.read(row));
      const { versions, bytes } = rows[0] ?? { versions: NO_VERSIONS, bytes: 0 };
      const { timeline } = primary;
      const registrationOf = await registrationsOf(rows);
      const version = await versionOf(family, timeline, rows, registrationOf);
      return found(timeline, { version, bytes, ...versions });
    },

    read: async (family) => {
      const cells = await run(pool, RUNTIME_CONFIGURATION, parametersOf(family));
      const { timeline } = primary;
      const rows = cells.map((row) => READ.read(row));
      const sized = rows.map((row) => row.sized);
      const registrationOf = await registrationsOf(sized);
      const decrypt = await configurations.decryptValues(pool, family.projectId);
      const pauseAfter = readingPauses();
      const records: RuntimeRecord[] = [];
      for (const {
        sized: { shown },
        config,
      } of rows) {
        if (shown === null) continue;
        const { configVersion: _, ...record } = shown;
        const text = decrypt({ projectId: family.projectId, id: record.id, config });
        const values = withDefaults(readValues(text), registrationOf(record.plugin).defaults);
        records.push({ ...record, config: Object.fromEntries(values) });
        await pauseAfter(text.length);
      }
      return { version: await versionOf(family, timeline, sized, registrationOf), records };
    },
  };
}
