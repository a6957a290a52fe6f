import { invalidInput } from '../kernel/domain-error.ts';
import type { PluginVersion, VersionChange, VersionContent } from './plugin-version.ts';

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
