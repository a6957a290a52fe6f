import { readValues, writeValues, type Values } from '../configuration/configuration.ts';
import { checkConfiguration, checkConfigurationSize } from '../configuration/replace-configuration.ts';
import { DomainError, invalidInput } from '../kernel/domain-error.ts';
import type { ConfigRecord } from '../record/config-record.ts';
import type { RecordWithValues } from '../record/configured-record.ts';
import type { PluginRuntime } from '../runtime/runtime-instance.ts';
import type { UpgradeStatus } from '../vocabulary/vocabulary.ts';
import { migrationOf } from './migrate.ts';
import type { TargetVersion } from './plugin-version.ts';
import { runtimesBehind } from './runtimes-behind.ts';
import { stepsBetween } from './steps-between.ts';

interface Upgrade {
  readonly record: Pick<ConfigRecord, 'projectId' | 'family' | 'enabled' | 'schemaVersion'>;
  readonly stored: Pick<RecordWithValues, 'values' | 'secretNames' | 'jsonSchemas'>;
  readonly target: TargetVersion;
  /** Those of the plugin that are online. */
  readonly runtimes: readonly PluginRuntime[];
}

/** What an upgrade of a record would do. */
export interface JudgedUpgrade {
  readonly status: Exclude<UpgradeStatus, 'pinned' | 'up_to_date'>;
  /** The names of online runtimes that do not understand the schema. */
  readonly runtimes: readonly string[];
  /** What a person has to decide. Quotes no values of the configuration. */
  readonly lacks: readonly DomainError[];
  /** The keys of entries whose values would be lost. */
  readonly lost: readonly string[];
  /** The migrated configuration. */
  readonly values: Values;
}

/** Decides whether a record can be upgraded to a version, and migrates its configuration. */
export function judgeUpgrade({ record, stored, target, runtimes }: Upgrade): JudgedUpgrade {
  const { schemaVersion } = target;
  const behind =
    record.schemaVersion === schemaVersion ? [] : runtimesBehind(runtimes, { family: record, schemaVersion });
  const { values, lacks, lost } = migrated(record, stored, target);
  return { status: statusOf({ behind, lacks, lost }), runtimes: behind, values, lacks, lost };
}

function statusOf(found: {
  readonly behind: readonly string[];
  readonly lacks: readonly DomainError[];
  readonly lost: readonly string[];
}): JudgedUpgrade['status'] {
  if (found.behind.length > 0) return 'unsupported';
  if (found.lacks.length > 0) return 'needs_input';
  return found.lost.length > 0 ? 'lossy' : 'clean';
}

function migrated(
  { enabled, schemaVersion: from }: Upgrade['record'],
  { values: text, secretNames, jsonSchemas }: Upgrade['stored'],
  { migrations, schemaVersion, registration }: TargetVersion,
): Pick<JudgedUpgrade, 'values' | 'lacks' | 'lost'> {
  const before = readValues(text);
  const steps = stepsBetween(migrations, from, schemaVersion);
  if (steps === null) {
    const message = `There is no migration from schema version ${from} to ${schemaVersion}.`;
    return { values: before, lacks: [invalidInput('version', message)], lost: [] };
  }
  const { values, lacks, lost } = migrationOf(jsonSchemas, steps)(before, secretNames);
  if (lacks.length > 0)
    return { values, lacks: lacks.map(({ attr, detail }) => invalidInput(attr, detail)), lost };
  const configured = { ...registration, secretNames, values: writeValues(values), jsonSchemas };
  return {
    values,
    lost,
    lacks: errorsOf(() => {
      checkConfigurationSize(values);
      if (enabled) checkConfiguration(configured);
    }),
  };
}

/** Returns the errors of a check. */
function errorsOf(check: () => void): readonly DomainError[] {
  try {
    check();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error.errors ?? [error];
  }
  return [];
}
