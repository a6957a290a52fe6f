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
import { checkConfiguration } from '../configuration/replace-configuration.ts';
import { DomainError, invalidInput } from '../kernel/domain-error.ts';
import { checkJson, checkNumbers } from '../kernel/json.ts';
import { PLUGIN_VERSION_LIMITS } from '../vocabulary/vocabulary.ts';
import { migrationOf } from './migrate.ts';
import type { VersionContent } from './plugin-version.ts';
import { stepsBetween } from './steps-between.ts';

/** Rejects examples that the schema does not accept, or that would show a secret. */
export function checkExamples({ examples, configSchema }: VersionContent, secretNames: SecretNames): void {
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
export function checkMigratedExamples(
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
