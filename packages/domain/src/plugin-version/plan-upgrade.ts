import { notFound } from '../kernel/domain-error.ts';
import type { PluginStore } from '../plugin/plugin-store.ts';
import type { ProjectSubject, RecordSubject } from '../project/subject.ts';
import type { RuntimeStore } from '../runtime/runtime-instance.ts';
import {
  COUNTED_RECORDS_MAX,
  UPGRADE_PLAN_LIMITS,
  type Family,
  type PluginRef,
  type UpgradeStatus,
} from '../vocabulary/vocabulary.ts';
import { judgeUpgrade } from './judge-upgrade.ts';
import type { PluginVersionStore, TargetVersion, UpgradeCandidate } from './plugin-version.ts';
import { rejectWithdrawn } from './upgrade-record.ts';

interface Dependencies {
  readonly plugins: Pick<PluginStore, 'find'>;
  readonly pluginVersions: Pick<PluginVersionStore, 'target' | 'candidates' | 'countRecords'>;
  readonly runtimes: Pick<RuntimeStore, 'ofPlugin'>;
}

interface Command {
  readonly plugin: PluginRef;
  readonly version: string;
  readonly at: Date;
}

/** A record that cannot be upgraded, or not without a loss. */
export interface PlannedUpgrade extends RecordSubject {
  readonly project: ProjectSubject;
  readonly family: Family;
  readonly enabled: boolean;
  readonly schemaVersion: number;
  readonly pluginVersion: string | null;
  readonly status: UpgradeStatus;
  /** What a person has to decide. The attribute is null if it is about the whole configuration. */
  readonly lacks: readonly { readonly attr: string | null; readonly detail: string }[];
  readonly lost: readonly string[];
  readonly runtimes: readonly string[];
}

/** What an upgrade of all records of a plugin would do. Has no values of configurations. */
export interface UpgradePlan extends Readonly<Record<UpgradeStatus, number>> {
  readonly version: string;
  readonly schemaVersion: number;
  /** The live records. */
  readonly total: number;
  /** The sum of the counts: at most `COUNTED_RECORDS_MAX` records are judged. */
  readonly judged: number;
  /** The first records that are neither clean nor up to date, sorted by project, family and id. */
  readonly records: readonly PlannedUpgrade[];
}

/**
 * Judges what an upgrade of the records of a plugin to a version would do.
 * @throws DomainError `not_found` if the plugin or the version does not exist; `invalid_input` if it is withdrawn
 */
export async function planUpgrade(
  { plugins, pluginVersions, runtimes }: Dependencies,
  { plugin: ref, version, at }: Command,
): Promise<UpgradePlan> {
  const plugin = await plugins.find(ref);
  if (plugin === null) throw notFound();
  const target = await pluginVersions.target(plugin.id, version);
  if (target === null) throw notFound();
  rejectWithdrawn(target);
  const counts = { up_to_date: 0, clean: 0, lossy: 0, needs_input: 0, unsupported: 0, pinned: 0 };
  const records: PlannedUpgrade[] = [];
  let judged = 0;
  let last: UpgradeCandidate['record'] | null = null;
  while (judged < COUNTED_RECORDS_MAX) {
    const read = await pluginVersions.candidates(plugin.id, last);
    const chunk = read.slice(0, COUNTED_RECORDS_MAX - judged);
    if (chunk.length === 0) break;
    const moved = chunk.filter(({ record }) => keptStatus(record, target) === null);
    const families = moved.map(({ record }) => record);
    const running = moved.length === 0 ? [] : await runtimes.ofPlugin(plugin.id, families, at);
    for (const candidate of chunk) {
      const planned = planOne(candidate, { target, runtimes: running });
      counts[planned.status] += 1;
      if (isShown(planned) && records.length < UPGRADE_PLAN_LIMITS.records) records.push(planned);
    }
    judged += chunk.length;
    last = chunk.at(-1)?.record ?? null;
  }
  const total = judged < COUNTED_RECORDS_MAX ? judged : await pluginVersions.countRecords(plugin.id);
  return { version, schemaVersion: target.schemaVersion, total, judged, ...counts, records };
}

type Context = Pick<Parameters<typeof judgeUpgrade>[0], 'target' | 'runtimes'>;

function planOne(candidate: UpgradeCandidate, context: Context): PlannedUpgrade {
  const { record, project, subject } = candidate;
  const { family, enabled, schemaVersion, pinnedVersion: pluginVersion } = record;
  const shown = { ...subject, project, family, enabled, schemaVersion, pluginVersion };
  const status = keptStatus(record, context.target);
  if (status !== null) return { ...shown, status, lacks: [], lost: [], runtimes: [] };
  const { values: _, ...judged } = judgeUpgrade({ record, stored: candidate, ...context });
  const { items, runtimes } = UPGRADE_PLAN_LIMITS;
  return {
    ...shown,
    status: judged.status,
    lacks: judged.lacks.slice(0, items).map(({ attr, message }) => ({ attr, detail: message })),
    lost: judged.lost.slice(0, items),
    runtimes: judged.runtimes.slice(0, runtimes),
  };
}

/** Returns why a record stays as it is; null if it would be upgraded. */
function keptStatus(
  { pinnedVersion, schemaVersion }: UpgradeCandidate['record'],
  target: TargetVersion,
): 'pinned' | 'up_to_date' | null {
  if (pinnedVersion !== null && pinnedVersion !== target.version) return 'pinned';
  return schemaVersion === target.schemaVersion ? 'up_to_date' : null;
}

function isShown({ status }: PlannedUpgrade): boolean {
  return status !== 'clean' && status !== 'up_to_date';
}
