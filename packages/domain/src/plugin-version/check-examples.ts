import type { ConfigField } from '../configuration/config-field.ts';
import {
  defaultsOf,
  isSecret,
  NO_VALUES,
  readValues,
  writeValues,
  type Configured,
  type Values,
} from '../configuration/configuration.ts';
import { checkConfiguration } from '../configuration/replace-configuration.ts';
import { DomainError, invalidInput } from '../kernel/domain-error.ts';
import { checkJson, checkNumbers } from '../kernel/json.ts';
import { PLUGIN_VERSION_LIMITS } from '../vocabulary/vocabulary.ts';
import { migrationOf } from './migrate.ts';
import type { VersionContent } from './plugin-version.ts';
import { stepsBetween } from './steps-between.ts';

type Judged = Pick<Configured, 'secretNames' | 'jsonSchemas'>;

/** Rejects examples that the schema does not accept, or that would show a secret. */
export function checkExamples(judged: Judged, { examples, configSchema }: VersionContent): void {
  for (const [i, example] of examples.entries()) {
    const attr = `examples[${i}]`;
    checkJson(example, attr, PLUGIN_VERSION_LIMITS.exampleBytes);
    checkNumbers(example, attr);
    const shown = Object.entries(example).find(
      ([key, value]) => judged.secretNames.has(key) && isSecret(value),
    );
    if (shown !== undefined) {
      throw invalidInput(`${attr}.${shown[0]}`, 'In an example, a secret is "********" or a reference.');
    }
    checkExample(readValues(JSON.stringify(example)), { ...judged, attr, configSchema });
  }
}

/** Rejects a migration that turns an example into a configuration that the version does not accept. */
export function checkMigratedExamples(
  judged: Judged,
  versions: readonly VersionContent[],
  { schemaVersion, configSchema, migrations }: VersionContent,
): void {
  if (migrations.length === 0) return;
  for (const { version, schemaVersion: from, examples } of versions) {
    const steps = from < schemaVersion ? stepsBetween(versions, from, schemaVersion) : null;
    if (steps === null) continue;
    const migrate = migrationOf(judged.jsonSchemas, steps);
    for (const [i, example] of examples.entries()) {
      const { values, lacks } = migrate(readValues(JSON.stringify(example)), judged.secretNames);
      if (lacks.length > 0) continue;
      const attr = `migrations: examples[${i}] of version ${version}`;
      checkExample(values, { ...judged, attr, configSchema });
    }
  }
}

interface ExampleSchema extends Judged {
  readonly attr: string;
  readonly configSchema: readonly ConfigField[] | undefined;
}

function checkExample(values: Values, { attr, configSchema, ...judged }: ExampleSchema): void {
  const defaults = defaultsOf(configSchema ?? [], NO_VALUES);
  try {
    checkConfiguration({ ...judged, values: writeValues(values), defaults, plugin: { configSchema } });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw invalidInput(`${attr}.${error.attr}`, error.message);
  }
}
