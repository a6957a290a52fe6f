import {
  contentTooLarge,
  NOT_REGISTERED,
  DomainError,
  projectNotFound,
  readValues,
  RUNTIME_LIMITS,
  withDefaults,
  type Attachment,
  type Family,
  type FamilyRef,
  type ProjectConfiguration,
  type ReadOptions,
  type ReadProjects,
  type Registration,
  type RuntimeConfigurations,
  type RuntimeLimits,
  type RuntimeRecord,
  type RuntimeScope,
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
  pluginVersion: row.textOrNull('coalesce(r.pinned_version, p.version)'),
  schemaVersion: row.number('r.schema_version'),
  configVersion: row.number('r.config_version'),
}));

const SIZED = columns((row) => ({
  projectId: row.number('f.project_id'),
  externalId: row.textOrNull('f.external_id'),
  versions: row.all(VERSIONS),
  count: row.number('f.count'),
  bytes: row.number('f.bytes'),
  fits: row.flag('f.fits'),
  isConcerned: row.flag('f.is_concerned'),
  shown: row.allOrNull(SHOWN),
  registryVersion: row.numberOrNull('p.registry_version'),
  pinnedVersion: row.textOrNull('r.pinned_version'),
}));

const READ = columns((row) => ({
  sized: row.all(SIZED),
  config: row.textOrNull('r.config'),
}));

const VERSIONS_OF_FAMILY: Statement = {
  name: 'runtime_versions',
  text: `select ${VERSIONS.sql} from config_family f where f.project_id = $1 and f.family = $2`,
};

/** The configurations of one statement have this size, or belong to one project. A record counts at least as `RECORD_BYTES`. */
const READ_BYTES = 4 * 1024 * 1024;
const RECORD_BYTES = 300;

/** The records that the runtimes of a project get, by default of all plugins ($3). */
const enabledIn = (
  project: string,
): string => `r.project_id = ${project} and r.family = $2 and r.enabled and not r.deleted
        and (cardinality($3::integer[]) = 0 or r.plugin = any ($3))`;

/**
 * Selects the enabled records of projects ($1), but none of a project with more than $4 or with more than $5 bytes. Only the first
 * projects fit ($6). A project concerns the reader if it ever had a record of the plugins.
 */
const recordsWith = (select: string): string => `with sized as materialized (
    select n.number, n.project_id, e.external_id, f.family_version, f.list_version, s.count, s.bytes,
      s.count <= $4 and s.bytes <= $5 as is_readable,
      cardinality($3::integer[]) = 0 or s.count > 0 or exists (
        select from config_record r
        where r.project_id = n.project_id and r.family = $2 and (r.plugin = any ($3) or r.former_plugins && $3)
      ) as is_concerned
    from unnest($1::bigint[]) with ordinality as n (project_id, number)
    join config_family f on f.project_id = n.project_id and f.family = $2
    join project e on e.id = n.project_id
    cross join lateral (
      select count(*) as count,
        coalesce(sum(coalesce(octet_length(r.config) - ${OVERHEAD_BYTES}, 0) + coalesce(p.defaults_bytes, 0)), 0) as bytes
      from config_record r left join plugin p on p.id = r.plugin
      where ${enabledIn('n.project_id')}
    ) s
  ),
  fitting as (
    select z.*, coalesce(sum(case when z.is_readable then z.bytes + z.count * ${RECORD_BYTES} end) over (
      order by z.number rows between unbounded preceding and 1 preceding
    ), 0) < $6 as fits
    from sized z
  )
  select ${select}
  from fitting f
  left join lateral (
    select r.* from config_record r where ${enabledIn('f.project_id')}
  ) r on f.fits and f.is_readable
  left join plugin p on p.id = r.plugin
  order by f.number, r.position, r.id`;

export const RUNTIME_VERSION: Statement = { name: 'runtime_version', text: recordsWith(SIZED.sql) };
export const RUNTIME_CONFIGURATION: Statement = {
  name: 'runtime_configuration',
  text: recordsWith(READ.sql),
};

type Sized = ReturnType<typeof SIZED.read>;

type RegistrationOf = (row: Sized) => Registration;

function shownBy({ shown, registryVersion, pinnedVersion }: Sized): readonly Attachment[] {
  if (shown === null) return [];
  const { plugin, schemaVersion } = shown;
  return [{ plugin, schemaVersion, pinnedVersion, formerPlugins: [], registryVersion }];
}

interface Row {
  readonly sized: Sized;
  readonly config: string | null;
}

export function postgresRuntimeConfigurations(
  { pool, primary, configurations }: Pick<EncryptedDatabase, 'pool' | 'primary' | 'configurations'>,
  limits: RuntimeLimits = RUNTIME_LIMITS,
): RuntimeConfigurations {
  const maxBytes = limits.mib * 1024 * 1024;
  const parametersOf = (family: Family, projects: readonly number[], plugins: readonly number[]) => [
    projects,
    family,
    plugins,
    limits.records,
    maxBytes,
    READ_BYTES,
  ];
  const isTooLarge = ({ count, bytes }: Sized): boolean => count > limits.records || bytes > maxBytes;
  const registrationsOf = async (rows: readonly Sized[]): Promise<RegistrationOf> => {
    const registrationOf = await configurations.registrations.load(pool, rows.flatMap(shownBy));
    return (row) => shownBy(row).map(registrationOf)[0] ?? NOT_REGISTERED;
  };
  /** Returns a keyed digest of the fields and defaults, which reveals nothing without the key. */
  const versionsWith = async (
    projects: readonly number[],
    timeline: Timeline,
    registrationOf: RegistrationOf,
  ): Promise<(family: FamilyRef, rows: readonly Sized[]) => string> => {
    const fingerprint = await configurations.fingerprinter(pool, projects);
    return ({ projectId, family }, rows) => {
      const shown = rows.flatMap((row) => row.shown ?? []);
      const registrations = new Set(rows.map(registrationOf));
      const defaults = [...registrations].map((registration) => [...registration.defaults]);
      const records = shown.map((record) => Object.values(record));
      return fingerprint(projectId, JSON.stringify(['runtime', timeline.id, family, records, defaults]));
    };
  };
  /** The read versions by timeline. On another timeline, the counters may repeat with other contents. */
  const versionsOn = perTimeline(() => new WeakSet<RuntimeVersion>());
  const found = (timeline: Timeline, version: RuntimeVersion): RuntimeVersion => {
    versionsOn(timeline).add(version);
    return version;
  };

  /** Reads what the version of a family is computed from. */
  const readVersion = async ({ projectId, family, plugins = [] }: RuntimeScope) => {
    const parameters = parametersOf(family, [projectId], plugins);
    const rows = (await run(pool, RUNTIME_VERSION, parameters)).map((row) => SIZED.read(row));
    const { timeline } = primary;
    const versionOf = await versionsWith([projectId], timeline, await registrationsOf(rows));
    return { rows, timeline, versionOf: (of: readonly Sized[]) => versionOf({ projectId, family }, of) };
  };

  const ofProjects = async (
    family: Family,
    projects: readonly number[],
    { plugins, content }: ReadOptions,
  ): Promise<ReadProjects> => {
    const cells = await run(
      pool,
      content ? RUNTIME_CONFIGURATION : RUNTIME_VERSION,
      parametersOf(family, projects, plugins),
    );
    const { timeline } = primary;
    const rows = cells.map((row): Row =>
      content ? READ.read(row) : { sized: SIZED.read(row), config: null },
    );
    const registrationOf = await registrationsOf(rows.map(({ sized }) => sized));
    const byProject = Map.groupBy(rows, ({ sized }) => sized.projectId);
    const existing = [...byProject.keys()];
    const versionOf = await versionsWith(existing, timeline, registrationOf);
    const decrypt = content ? await configurations.decryptValues(pool, existing) : null;
    const pauseAfter = readingPauses();

    const recordsIn = async (ofProject: readonly Row[]): Promise<readonly RuntimeRecord[] | null> => {
      if (decrypt === null) return null;
      const records: RuntimeRecord[] = [];
      for (const { sized, config } of ofProject) {
        const { shown, projectId } = sized;
        if (shown === null) continue;
        const text = decrypt({ projectId, id: shown.id, config });
        const values = withDefaults(readValues(text), registrationOf(sized).defaults);
        records.push({ ...shown, config: Object.fromEntries(values) });
        await pauseAfter(text.length);
      }
      return records;
    };

    const read: ProjectConfiguration[] = [];
    let last: number | null = null;
    for (const [projectId, ofProject] of byProject) {
      const sized = ofProject.map((row) => row.sized);
      const [first] = sized;
      if (first === undefined || !first.fits) break;
      last = projectId;
      const { externalId, versions, isConcerned } = first;
      const common = { projectId, externalId, ...versions, isConcerned };
      if (isTooLarge(first)) {
        read.push({ ...common, version: null, records: null });
        continue;
      }
      try {
        const version = versionOf({ projectId, family }, sized);
        read.push({ ...common, version, records: await recordsIn(ofProject) });
      } catch (error) {
        // Its data key was destroyed after the statement.
        if (!(error instanceof DomainError && error.code === 'project_not_found')) throw error;
      }
    }
    return { projects: read, last: last === existing.at(-1) ? null : last };
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
      const { rows, timeline, versionOf } = await readVersion(family);
      if (rows.some(isTooLarge)) throw contentTooLarge(limits);
      const { versions, bytes } = rows[0] ?? { versions: NO_VERSIONS, bytes: 0 };
      return found(timeline, { version: versionOf(rows), bytes, ...versions });
    },

    versionsAround: async (scope, { id, configVersion, valid }) => {
      const { rows, versionOf } = await readVersion(scope);
      if (rows.some(isTooLarge)) return { before: null, after: null };
      const after = rows.map(({ shown, ...row }) => ({
        ...row,
        shown: shown?.id === id ? { ...shown, configVersion, valid: shown.valid || valid } : shown,
      }));
      return { before: versionOf(rows), after: versionOf(after) };
    },

    read: async ({ projectId, family, plugins = [] }) => {
      const [read] = (await ofProjects(family, [projectId], { plugins, content: true })).projects;
      if (read === undefined) throw projectNotFound();
      const { version, records } = read;
      if (version === null || records === null) throw contentTooLarge(limits);
      return { version, records };
    },

    ofProjects,
  };
}
