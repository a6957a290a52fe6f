import { rejectEach } from '../configuration/reject-each.ts';
import { alreadyExists, invalidInput } from '../kernel/domain-error.ts';
import type { JsonSchemas } from '../kernel/json-schemas.ts';
import { mergeSecretNames } from '../plugin/plugin.ts';
import { PLUGIN_VERSION_LIMITS } from '../vocabulary/vocabulary.ts';
import { checkExamples, checkMigratedExamples } from './check-examples.ts';
import { schemaDifferences } from './compare-schemas.ts';
import { checkMigrations, secretNamesAfter } from './migration-step.ts';
import { UNVERSIONED, type VersionContent } from './plugin-version.ts';

/** The registered versions of a plugin, in the order of their registration. */
interface Registered {
  readonly versions: readonly VersionContent[];
  /** Every name that a registration of the plugin has declared secret. */
  readonly secretNames: Iterable<string>;
}

/** Whether a version declares nothing, so the next one need not be compared with it. */
export function declaresNothing({ version, configSchema, jobs, checks }: VersionContent): boolean {
  return version === UNVERSIONED && configSchema === undefined && jobs === undefined && checks !== true;
}

/**
 * Rejects a version that its plugin cannot have. Returns the secret names of the plugin with it.
 * @throws DomainError `already_exists`, or `invalid_input` with what is wrong
 */
export function checkVersion(
  jsonSchemas: JsonSchemas,
  { versions: all, secretNames }: Registered,
  version: VersionContent,
): readonly string[] {
  const versions = all.filter((each) => !declaresNothing(each));
  if (versions.some((each) => each.version === version.version)) {
    const message = `Version ${version.version} is registered with other contents, and a version never changes.`;
    throw alreadyExists('version', message);
  }
  if (versions.length >= PLUGIN_VERSION_LIMITS.versions) {
    throw invalidInput('version', `A plugin has at most ${PLUGIN_VERSION_LIMITS.versions} versions.`);
  }
  checkSchemaVersion(versions, version);
  checkKnownMigrations(versions, version);
  const registered = [...versions, version];
  const names = secretNamesAfter(
    mergeSecretNames(secretNames, version),
    registered.flatMap(({ migrations }) => migrations),
  );
  const merged = mergeSecretNames(names, {});
  checkMigrations(jsonSchemas, version.migrations, names);
  const judged = { jsonSchemas, secretNames: names };
  checkExamples(judged, version);
  checkMigratedExamples(judged, registered, version);
  return merged;
}

/** Rejects a schema that differs too much from the others of its schema version, or whose migration is missing. */
function checkSchemaVersion(versions: readonly VersionContent[], version: VersionContent): void {
  const { schemaVersion, configSchema, migrations } = version;
  const highest = Math.max(...versions.map((each) => each.schemaVersion));
  const same = versions.findLast((each) => each.schemaVersion === schemaVersion);
  if (same !== undefined) {
    const differences = schemaDifferences(same.configSchema, configSchema);
    rejectEach(
      differences.map((difference) => () => {
        const rule = `Schema version ${schemaVersion} is that of version ${same.version}. Another one needs schema version ${highest + 1} and a migration.`;
        throw invalidInput('config_schema', `${difference} ${rule}`);
      }),
    );
    return;
  }
  const before = versions.findLast((each) => each.schemaVersion === highest);
  if (before === undefined) return;
  if (schemaVersion !== highest + 1) {
    throw invalidInput('schema_version', `The next schema version of this plugin is ${highest + 1}.`);
  }
  if (migrations.some(({ from }) => from === highest)) return;
  const differences = schemaDifferences(before.configSchema, configSchema).join(' ');
  throw invalidInput(
    'migrations',
    `A migration from schema version ${highest} is required. ${differences}`.trim(),
  );
}

/** Rejects migrations that go beyond the version, or differ from those of other versions. */
function checkKnownMigrations(
  versions: readonly VersionContent[],
  { schemaVersion, migrations }: VersionContent,
): void {
  const known = new Map(versions.flatMap((each) => each.migrations.map(({ from, steps }) => [from, steps])));
  const seen = new Set<number>();
  for (const { from, steps } of migrations) {
    if (from >= schemaVersion)
      throw invalidInput('migrations', `Schema version ${from} is not an older one.`);
    if (seen.has(from))
      throw invalidInput('migrations', `There are two migrations from schema version ${from}.`);
    seen.add(from);
    const registered = known.get(from);
    if (registered === undefined || JSON.stringify(registered) === JSON.stringify(steps)) continue;
    throw invalidInput(
      'migrations',
      `The migration from schema version ${from} is registered with other steps.`,
    );
  }
}
