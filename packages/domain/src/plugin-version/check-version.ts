import type { ConfigField } from '../configuration/config-field.ts';
import {
  defaultsOf,
  isSecret,
  NO_VALUES,
  readValues,
  writeValues,
  type SecretNames,
  type Values,
} from '../configuration/configuration.ts';
import { rejectEach } from '../configuration/reject-each.ts';
import { checkConfiguration } from '../configuration/replace-configuration.ts';
import { alreadyExists, DomainError, invalidInput } from '../kernel/domain-error.ts';
import { checkJson, checkNumbers } from '../kernel/json.ts';
import { mergeSecretNames } from '../plugin/plugin.ts';
import { PLUGIN_VERSION_LIMITS } from '../vocabulary/vocabulary.ts';
import { schemaDifferences } from './compare-schemas.ts';
import { migrationOf } from './migrate.ts';
import { checkMigrations, secretNamesAfter, type MigrationStep } from './migration-step.ts';
import {
  UNVERSIONED,
  type PluginVersion,
  type VersionChange,
  type VersionContent,
} from './plugin-version.ts';

/** The registered versions of a plugin, in the order of their registration. */
interface Registered {
  readonly versions: readonly VersionContent[];
  /** Every name that a registration of the plugin has declared secret. */
  readonly secretNames: Iterable<string>;
}

/** Returns the steps from a schema version to a later one; null if a migration is missing. */
export function stepsBetween(
  versions: readonly Pick<VersionContent, 'migrations'>[],
  from: number,
  to: number,
): readonly MigrationStep[] | null {
  const migrations = new Map(
    versions.flatMap((version) => version.migrations.map((each) => [each.from, each])),
  );
  const steps: MigrationStep[] = [];
  for (let at = from; at < to; at++) {
    const migration = migrations.get(at);
    if (migration === undefined) return null;
    steps.push(...migration.steps);
  }
  return from > to ? null : steps;
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
  checkMigrations(version.migrations, names);
  checkExamples(version, names);
  checkMigratedExamples(registered, version, names);
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

/** Rejects examples that the schema does not accept, or that would show a secret. */
function checkExamples({ examples, configSchema }: VersionContent, secretNames: SecretNames): void {
  for (const [i, example] of examples.entries()) {
    const attr = `examples[${i}]`;
    checkJson(example, attr, PLUGIN_VERSION_LIMITS.exampleBytes);
    checkNumbers(example, attr);
    const shown = Object.entries(example).find(([key, value]) => secretNames.has(key) && isSecret(value));
    if (shown !== undefined) {
      throw invalidInput(`${attr}.${shown[0]}`, 'In an example, a secret is "********" or a reference.');
    }
    checkExample(readValues(JSON.stringify(example)), { attr, configSchema, secretNames });
  }
}

/** Rejects a migration that turns an example into a configuration that the version does not accept. */
function checkMigratedExamples(
  versions: readonly VersionContent[],
  { schemaVersion, configSchema, migrations }: VersionContent,
  secretNames: SecretNames,
): void {
  if (migrations.length === 0) return;
  for (const { version, schemaVersion: from, examples } of versions) {
    const steps = from < schemaVersion ? stepsBetween(versions, from, schemaVersion) : null;
    if (steps === null) continue;
    const migrate = migrationOf(steps);
    for (const [i, example] of examples.entries()) {
      const { values, lacks } = migrate(readValues(JSON.stringify(example)), secretNames);
      if (lacks.length > 0) continue;
      const attr = `migrations: examples[${i}] of version ${version}`;
      checkExample(values, { attr, configSchema, secretNames });
    }
  }
}

interface ExampleSchema {
  readonly attr: string;
  readonly configSchema: readonly ConfigField[] | undefined;
  readonly secretNames: SecretNames;
}

function checkExample(values: Values, { attr, configSchema, secretNames }: ExampleSchema): void {
  const defaults = defaultsOf(configSchema ?? [], NO_VALUES);
  try {
    checkConfiguration({ values: writeValues(values), defaults, secretNames, plugin: { configSchema } });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw invalidInput(`${attr}.${error.attr}`, error.message);
  }
}

/** Returns a version after a change. */
export function changeVersion<V extends Omit<PluginVersion, keyof VersionContent>>(
  before: V,
  { state = before.state, message, upgradeBy }: VersionChange,
): V {
  if (before.state === 'current' && state !== 'current') {
    throw invalidInput('state', 'Make another version current instead.');
  }
  if (state === 'deprecated') {
    return {
      ...before,
      state,
      message: message === undefined ? before.message : message,
      upgradeBy: upgradeBy === undefined ? before.upgradeBy : upgradeBy,
    };
  }
  for (const [attr, value] of Object.entries({ message, upgrade_by: upgradeBy })) {
    if (value != null) throw invalidInput(attr, 'Only a deprecated version has this.');
  }
  return { ...before, state, message: null, upgradeBy: null };
}
