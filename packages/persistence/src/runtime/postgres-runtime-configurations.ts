import {
  contentTooLarge,
  RUNTIME_LIMITS,
  type FamilyRef,
  type JsonObject,
  type RuntimeConfigurations,
  type RuntimeLimits,
  type RuntimeRecord,
} from '@plugin-config/domain';
import { timeSlices } from '@plugin-config/flow/node';
import { OVERHEAD_BYTES } from '../configuration/ciphertext.ts';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { columns } from '../postgres/columns.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { atVersions, NO_VERSIONS, VERSIONS } from '../record/family-versions.ts';

/** The fields that determine the version: what runtimes get, but with the version of each configuration instead of its text. */
const SHOWN = columns((row) => ({
  id: row.number('r.id'),
  plugin: row.number('r.plugin'),
  pluginName: row.textOrNull('p.name'),
  name: row.textOrNull('r.name'),
  order: row.number('r.position'),
  configVersion: row.number('r.config_version'),
}));

const SIZED = columns((row) => ({
  versions: row.all(VERSIONS),
  count: row.number('s.count'),
  bytes: row.number('s.bytes'),
  shown: row.allOrNull(SHOWN),
}));

const READ = columns((row) => ({
  sized: row.all(SIZED),
  config: row.textOrNull('r.config'),
}));

const VERSIONS_OF_FAMILY: Statement = {
  name: 'runtime_versions',
  text: `select ${VERSIONS.sql} from config_family f where f.project_id = $1 and f.family = $2`,
};

const ENABLED = 'config_record r where r.project_id = $1 and r.family = $2 and r.enabled and not r.deleted';

/** Selects the enabled records, unless there are more than $3 or they have more than $4 bytes. */
const recordsWith = (select: string): string => `select ${select}
  from config_family f
  cross join (
    select count(*) as count, coalesce(sum(octet_length(r.config) - ${OVERHEAD_BYTES}), 0) as bytes from ${ENABLED}
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

const parse: (values: string) => JsonObject = JSON.parse;

type Sized = ReturnType<typeof SIZED.read>;

export function postgresRuntimeConfigurations(
  { pool, primary, configurations }: Pick<EncryptedDatabase, 'pool' | 'primary' | 'configurations'>,
  limits: RuntimeLimits = RUNTIME_LIMITS,
): RuntimeConfigurations {
  const maxBytes = limits.mib * 1024 * 1024;
  const parametersOf = ({ projectId, family }: FamilyRef) => [projectId, family, limits.records, maxBytes];
  /** Returns a keyed digest of the fields, which reveals nothing without the key. */
  const versionOf = async (
    { projectId, family }: FamilyRef,
    timelineId: string,
    rows: readonly Sized[],
  ): Promise<string> => {
    if (rows.some(({ count, bytes }) => count > limits.records || bytes > maxBytes))
      throw contentTooLarge(limits);
    const shown = rows.flatMap((row) => (row.shown === null ? [] : [Object.values(row.shown)]));
    const fingerprint = await configurations.fingerprinter(pool, projectId);
    return fingerprint(JSON.stringify(['runtime', timelineId, family, shown]));
  };
  const at = (versions: typeof NO_VERSIONS) => ({
    ...atVersions(primary, versions),
    listVersion: versions.listVersion,
  });
  return {
    version: async (family, previous) => {
      if (previous !== null) {
        const [row] = await run(pool, VERSIONS_OF_FAMILY, [family.projectId, family.family]);
        const versions = row === undefined ? NO_VERSIONS : VERSIONS.read(row);
        const isCurrent =
          previous.timelineId === primary.timelineId &&
          previous.listVersion === versions.listVersion &&
          previous.registryVersion === versions.registryVersion;
        if (isCurrent) return { version: previous.version, bytes: previous.bytes, ...at(versions) };
      }
      const rows = (await run(pool, RUNTIME_VERSION, parametersOf(family))).map((row) => SIZED.read(row));
      const { versions, bytes } = rows[0] ?? { versions: NO_VERSIONS, bytes: 0 };
      const found = at(versions);
      return { version: await versionOf(family, found.timelineId, rows), bytes, ...found };
    },

    read: async (family) => {
      const cells = await run(pool, RUNTIME_CONFIGURATION, parametersOf(family));
      const { timelineId } = primary;
      const decrypt = await configurations.decryptValues(pool, family.projectId);
      const slices = timeSlices();
      const records: RuntimeRecord[] = [];
      const sized: Sized[] = [];
      for (const row of cells) {
        const found = READ.read(row);
        sized.push(found.sized);
        const { shown } = found.sized;
        if (shown === null) continue;
        const { configVersion: _, ...record } = shown;
        const values = decrypt({ projectId: family.projectId, id: record.id, config: found.config });
        records.push({ ...record, config: parse(values) });
        if (slices.isDue()) await slices.yieldTurn();
      }
      return { version: await versionOf(family, timelineId, sized), records };
    },
  };
}
