import type { ConfigRecord, PluginUpgrade, PluginVersion, UpgradePlan } from '@plugin-config/client';
import type { UpgradeStatus } from '@plugin-config/domain/vocabulary';
import { isSame } from '../editing/field.ts';
import type { FieldChange } from '../history/shown-change.ts';
import { ENTRY } from '../record/changes.ts';
import { entriesOf } from '../record/plugin-info.ts';
import { formatCount, recordsText } from '../ui/format.ts';

type Tone = 'neutral' | 'good' | 'warn' | 'bad';

export const STATES: Readonly<Record<PluginVersion['state'], readonly [title: string, tone: Tone]>> = {
  current: ['Current', 'good'],
  supported: ['Supported', 'neutral'],
  deprecated: ['Deprecated', 'warn'],
  withdrawn: ['Withdrawn', 'bad'],
};

/** The counts of a plan, and what each means. */
export const STATUSES: Readonly<
  Record<UpgradeStatus, readonly [title: string, meaning: string, tone: Tone]>
> = {
  clean: ['Clean', 'Can be upgraded.', 'good'],
  lossy: ['Lossy', 'Can be upgraded, but lose values.', 'warn'],
  needs_input: ['Needs input', 'A person has to decide something first.', 'bad'],
  unsupported: ['Held up', 'An online runtime does not know the new schema.', 'warn'],
  pinned: ['Pinned', 'Keep the version that they are pinned to.', 'neutral'],
  up_to_date: ['Up to date', 'Already have this schema.', 'neutral'],
};

/** Says why there is no form for an entry or a payload. */
export const NO_FORM =
  'This record follows another version of its plugin, whose form is not available to you.';

/** The version of the registration by `PUT /api/plugins/:id`, which declares no versions. */
const UNDECLARED = '0';

/** Whether the schema of a plugin is that of its versions, so that its registration only changes texts. */
export const hasDeclaredVersions = (versions: readonly PluginVersion[]): boolean =>
  versions.some(({ version }) => version !== UNDECLARED);

interface Followed {
  /** The version that a record follows; undefined if the plugin was registered again. */
  readonly followed: PluginVersion | undefined;
  readonly current: PluginVersion | undefined;
  readonly isPinned: boolean;
  /** Whether the configuration has another schema than that of the current version. */
  readonly isBehind: boolean;
}

/** Returns the version that a record follows, of versions of which the last registered comes first. */
export function followedVersion(
  versions: readonly PluginVersion[],
  headers: Pick<Headers, 'get'> | undefined,
): Followed {
  const schema = Number(headers?.get('x-schema-version') ?? '1');
  const pinned = headers?.get('x-plugin-version') ?? null;
  const current = versions.find(({ state }) => state === 'current');
  const isBehind = current !== undefined && current.schema_version !== schema;
  const ofSchema = isBehind ? versions.find((one) => one.schema_version === schema) : current;
  const followed = pinned === null ? ofSchema : versions.find(({ version }) => version === pinned);
  return { followed, current, isPinned: pinned !== null, isBehind };
}

type Configured = Pick<ConfigRecord, 'config'>;

/** Returns the entries that differ. Those of secrets are masked, so a secret shows only that it is set or goes. */
export function entryChanges(before: Configured, after: Configured): readonly FieldChange[] {
  const [from, to] = [entriesOf(before), entriesOf(after)];
  return [...new Set([...from.keys(), ...to.keys()])]
    .map((key) => ({ field: ENTRY + key, before: from.get(key) ?? null, after: to.get(key) ?? null }))
    .filter((change) => !isSame(change.before, change.after));
}

/** Says what an upgrade of all records would do. */
export function upgradeText(plan: UpgradePlan, force: boolean): string {
  const { clean, lossy, needs_input: needsInput, unsupported, pinned } = plan;
  const upgraded = `${recordsText(clean + lossy)} will be upgraded to ${plan.version}`;
  const loss = lossy === 0 ? '' : `, ${formatCount(lossy)} of which with a loss`;
  const forced =
    force && unsupported > 0 ? `, and up to ${formatCount(unsupported)} in spite of runtimes` : '';
  const kept = countsText({ needs_input: needsInput, unsupported: force ? 0 : unsupported, pinned });
  return `${upgraded}${loss}${forced}.${kept === '' ? '' : ` These stay as they are: ${kept}.`}`;
}

/** Says what an upgrade has done so far. */
export function progressText({ state, progress }: Pick<PluginUpgrade, 'state' | 'progress'>): string {
  const { total, done, upgraded } = progress;
  const kept = countsText(progress);
  const result = `${recordsText(upgraded)} upgraded${kept === '' ? '' : `, ${kept}`}.`;
  if (state === 'succeeded') return result;
  const visited = `${formatCount(done)} of ${recordsText(total)} visited`;
  return `${state === 'running' ? visited : `Cancelled with ${visited}`}: ${result}`;
}

type Kept = Pick<UpgradePlan, 'needs_input' | 'unsupported' | 'pinned'>;

function countsText({ needs_input: needsInput, unsupported, pinned }: Kept): string {
  const parts = [
    [needsInput, needsInput === 1 ? 'needs input' : 'need input'],
    [unsupported, 'held up by runtimes'],
    [pinned, 'pinned'],
  ] as const;
  return parts.flatMap(([count, words]) => (count === 0 ? [] : `${formatCount(count)} ${words}`)).join(', ');
}
