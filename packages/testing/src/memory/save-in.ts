import {
  replacesConfiguration,
  secretFields,
  type ConfigRecord,
  type RecordWrite,
} from '@plugin-config/domain';
import { raiseVersion, addActivity } from './family-changes.ts';
import { concealPast } from './conceal-past.ts';
import { keepEdition } from './editions.ts';
import type { MemoryState } from './memory-state.ts';
import { refuseRevoked } from './refuse-revoked.ts';
import { recordOf, registeredRevision, storedRecord } from './stored-records.ts';

/** @throws DomainError `authentication_failed` if the key of the author is revoked */
export function saveIn(state: MemoryState, write: RecordWrite): ConfigRecord | null {
  refuseRevoked(state, write.activity);
  return changeIn(state, write);
}

/** What a job changes is stored even if the key that queued it is revoked by then. */
export function changeIn(state: MemoryState, write: RecordWrite): ConfigRecord | null {
  const { before, after, activity, secrets } = write;
  const stored = storedRecord(state, before);
  if (stored === null || !stillHolds(state, stored.record, write)) return null;
  const { plugin, enabled, order, name, description, deleted, config } = after;
  const changed = { plugin, enabled, order, name, description, deleted, config };
  const next = { updatedAt: activity.at, version: before.version + 1 };
  const configRevision = before.configRevision + (replacesConfiguration(write) ? 1 : 0);
  const edition = keepEdition(state, stored, write);
  state.records.set(before.id, {
    edition,
    record: { ...stored.record, ...changed, ...next, configRevision },
    secrets: secrets ?? stored.secrets,
    familyRevision: stored.familyRevision,
  });
  if (secrets !== undefined) concealPast(state, before.id, secrets.keys());
  if (stored.record.plugin !== plugin) {
    const [left, joined] = [state.plugins.get(stored.record.plugin), state.plugins.get(plugin)];
    if (left !== undefined && left.sealedUpTo !== null)
      concealPast(state, before.id, secretFields(left.plugin));
    if (joined !== undefined) concealPast(state, before.id, secretFields(joined.plugin));
  }
  raiseVersion(state, before, [before.id]);
  addActivity(state, before, activity);
  return recordOf(state, before);
}

/** Returns false if the record is not what the write was decided on. */
export function stillHolds(
  state: MemoryState,
  record: Pick<ConfigRecord, 'version' | 'configRevision'>,
  { before, after }: Pick<RecordWrite, 'before' | 'after'>,
): boolean {
  return (
    record.version === before.version &&
    record.configRevision === before.configRevision &&
    registeredRevision(state, after.plugin) === after.pluginRevision
  );
}
