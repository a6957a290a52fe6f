import type { Actor, Author } from '../kernel/author.ts';
import type { Clock } from '../kernel/clock.ts';
import { DomainError, isTransient, type DomainErrorCode } from '../kernel/domain-error.ts';
import { familyNumber, type RecordRef } from '../project/family.ts';
import type { ConfigRecord } from '../record/config-record.ts';
import type { Task } from '../task/task-queue.ts';
import type { PluginUpgrade, PluginUpgradeStore, UpgradeCounts, UpgradeTurn } from './plugin-upgrade.ts';
import { upgradeRecord, type UpgradeRecordDependencies } from './upgrade-record.ts';

interface Dependencies extends UpgradeRecordDependencies {
  readonly upgrades: Pick<PluginUpgradeStore, 'begin' | 'finish'>;
  readonly clock: Clock;
}

/** The author of upgrades that nobody started: the deadline of a version has passed. */
export const SERVICE_ACTOR: Actor = { keyId: null, label: 'service' };

/** The number of records that are upgraded at once. Their writes share statements. */
const AT_ONCE = 20;

type Outcome = keyof UpgradeCounts | 'gone' | 'key revoked';

/** Any other rejection means that a person has to look at the record. */
const REJECTIONS: Readonly<Partial<Record<DomainErrorCode, Outcome>>> = {
  authentication_failed: 'key revoked',
  does_not_exist: 'gone',
  not_found: 'gone',
  project_not_found: 'gone',
  runtime_behind: 'unsupported',
};

/**
 * Upgrades the records of one turn, each in a transaction of its own. If the worker dies, the turn is repeated: records that it has upgraded
 * count again. Resolves to null if the upgrade has ended, or the task has been claimed again.
 */
export async function runUpgrade(dependencies: Dependencies, task: Task): Promise<PluginUpgrade | null> {
  const { upgrades, clock } = dependencies;
  const turn = await upgrades.begin(task, clock.now());
  if (turn === null) return null;
  const families = new Map(turn.refs.map((ref) => [familyNumber(ref), ref]));
  const { plugin } = turn.upgrade;
  const running = await dependencies.runtimes.ofPlugin(plugin, [...families.values()], clock.now());
  const ofTurn = { ...dependencies, runtimes: { ofPlugin: async () => running } };
  const outcomes: Outcome[] = [];
  const refs = turn.refs.values();
  const upgradeSome = async (): Promise<void> => {
    for (const ref of refs) outcomes.push(await outcomeOf(ofTurn, turn, ref));
  };
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, upgradeSome));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  const count = (outcome: Outcome): number => outcomes.filter((each) => each === outcome).length;
  return upgrades.finish(turn, {
    counts: {
      upgraded: count('upgraded'),
      needsInput: count('needsInput'),
      unsupported: count('unsupported'),
      pinned: count('pinned'),
    },
    isCancelled: count('key revoked') > 0,
    at: clock.now(),
  });
}

async function outcomeOf(
  dependencies: Dependencies,
  { upgrade }: UpgradeTurn,
  ref: RecordRef,
): Promise<Outcome> {
  const { plugin, version, schemaVersion, overdueSchema, force, actor, requestId } = upgrade;
  const author: Author = { actor, requestId, at: dependencies.clock.now() };
  const isGone = (record: ConfigRecord): boolean => record.deleted || record.plugin !== plugin;
  try {
    const { value: record } = await dependencies.records.find(ref);
    if (record === null) return 'gone';
    const after = await upgradeRecord(dependencies, {
      record,
      precondition: null,
      version,
      author,
      force,
      isCleanOnly: overdueSchema > 0,
      isLeft: (before) =>
        isGone(before) || before.pinnedVersion !== null || before.schemaVersion === schemaVersion,
    });
    if (isGone(after)) return 'gone';
    if (after.pinnedVersion === null) return after.schemaVersion === schemaVersion ? 'upgraded' : 'gone';
    return after.pinnedVersion === version ? 'upgraded' : 'pinned';
  } catch (error) {
    if (!(error instanceof DomainError) || isTransient(error)) throw error;
    return REJECTIONS[error.code] ?? 'needsInput';
  }
}
