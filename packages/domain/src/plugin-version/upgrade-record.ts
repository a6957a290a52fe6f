import { rejectAll } from '../configuration/reject-each.ts';
import { checkConfiguration, migratedReplacement } from '../configuration/replace-configuration.ts';
import { DomainError, invalidInput, notFound } from '../kernel/domain-error.ts';
import { pluginInfo } from '../plugin/plugin.ts';
import type { ConfigRecord } from '../record/config-record.ts';
import { changesOf } from '../record/describe-change.ts';
import {
  configurationWrite,
  storeChange,
  updateWrite,
  type UpdateCommand,
  type UpdateDependencies,
} from '../record/update-record.ts';
import type { RuntimeStore } from '../runtime/runtime-instance.ts';
import { judgeUpgrade } from './judge-upgrade.ts';
import { runtimeBehind } from './runtimes-behind.ts';
import type { PluginVersionStore, TargetVersion } from './plugin-version.ts';

interface PinDependencies extends Pick<UpdateDependencies, 'records' | 'configurationValues'> {
  readonly pluginVersions: Pick<PluginVersionStore, 'target'>;
}

export interface UpgradeRecordDependencies extends PinDependencies {
  readonly runtimes: Pick<RuntimeStore, 'ofPlugin'>;
}

interface Command extends Omit<UpdateCommand, 'change' | 'newConfig'> {
  /** Null for the current version. */
  readonly version: string | null;
}

interface UpgradeCommand extends Command {
  /** Whether to upgrade although runtimes do not understand the schema. */
  readonly force?: boolean;
  /** Whether a migration that loses a value is rejected. */
  readonly isCleanOnly?: boolean;
  /** Whether a record stays as it is. */
  readonly isLeft?: (before: ConfigRecord) => boolean;
}

/**
 * Migrates the configuration of a record to the schema of a version. The record follows the current version from then on, and is pinned
 * to any other.
 * @throws DomainError `runtime_behind` if runtimes do not understand the schema; `invalid_input` with what a person has to decide
 */
export function upgradeRecord(
  dependencies: UpgradeRecordDependencies,
  command: UpgradeCommand,
): Promise<ConfigRecord> {
  const { version, author, force = false, isCleanOnly = false, isLeft = () => false } = command;
  return storeChange(dependencies, command, async (before) => {
    if (isLeft(before)) return null;
    // A plugin that is not registered has no current version.
    if (version === null && before.pluginInfo === null) return null;
    const target = await targetOf(dependencies, before, version);
    const { schemaVersion } = target;
    const pinnedVersion = target.state === 'current' ? null : target.version;
    const isMoved = before.schemaVersion !== schemaVersion;
    if (!isMoved && before.pinnedVersion === pinnedVersion) return null;
    const isHeldUp = isMoved && !force;
    const runtimes = isHeldUp ? await dependencies.runtimes.ofPlugin(before.plugin, [before], author.at) : [];
    const stored = await dependencies.configurationValues.of(before);
    if (stored === null) throw notFound();
    const upgrade = judgeUpgrade({ record: before, stored, target, runtimes });
    if (upgrade.status === 'unsupported') throw runtimeBehind(upgrade.runtimes, schemaVersion);
    rejectAll(upgrade.lacks);
    if (isCleanOnly) rejectAll(upgrade.lost.map((attr) => invalidInput(attr, 'Its value would be lost.')));
    const after = shownAs({ ...before, schemaVersion, pinnedVersion }, target);
    const replacement = migratedReplacement(stored, upgrade.values, changesOf(before, after));
    return { ...configurationWrite(before, replacement, author), after };
  });
}

/** Pins a record to a version with the schema of its configuration, or with null lets it follow the current version. */
export function pinRecord(dependencies: PinDependencies, command: Command): Promise<ConfigRecord> {
  const { version, author } = command;
  return storeChange(dependencies, command, async (before) => {
    if (version === before.pinnedVersion) return null;
    const target = await targetOf(dependencies, before, version);
    if (version !== null && target.schemaVersion !== before.schemaVersion) {
      const schemas = `Version ${version} has schema version ${target.schemaVersion}, but the configuration has ${before.schemaVersion}.`;
      throw invalidInput('version', `${schemas} Upgrade the record, or restore an earlier revision.`);
    }
    const stored = await dependencies.configurationValues.of(before);
    if (stored === null) throw notFound();
    const after = { ...before, pinnedVersion: version };
    const configured = await dependencies.pluginVersions.target(before.plugin, version, before.schemaVersion);
    if (before.enabled && configured !== null) {
      checkConfiguration({ ...stored, ...configured.registration, secretNames: stored.secretNames });
    }
    return updateWrite(before, shownAs(after, configured), author);
  });
}

async function targetOf(
  { pluginVersions }: PinDependencies,
  { plugin }: ConfigRecord,
  version: string | null,
): Promise<TargetVersion> {
  const target = await pluginVersions.target(plugin, version);
  if (target === null) throw noVersion(version);
  rejectWithdrawn(target);
  return target;
}

export function noVersion(version: string | null, attr = 'version'): DomainError {
  return new DomainError('does_not_exist', `The plugin has no version ${version ?? ''}.`, { attr });
}

export function rejectWithdrawn(
  { state, version }: Pick<TargetVersion, 'state' | 'version'>,
  attr = 'version',
): void {
  if (state === 'withdrawn') throw invalidInput(attr, `Version ${version} is withdrawn.`);
}

/** Returns a record that shows the plugin as a version registers it. */
export function shownAs(record: ConfigRecord, target: TargetVersion | null): ConfigRecord {
  const plugin = target?.registration.plugin ?? null;
  return { ...record, pluginInfo: plugin && pluginInfo(plugin) };
}
