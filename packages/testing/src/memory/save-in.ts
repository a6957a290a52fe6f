import type { ConfigRecord, RecordWrite } from '@plugin-config/domain';
import { raiseVersion, remember } from './family-changes.ts';
import type { MemoryState } from './memory-state.ts';
import { recordOf, registeredInfo, storedRecord } from './stored-records.ts';

export function saveIn(state: MemoryState, write: RecordWrite): ConfigRecord | null {
  const { before, after, activity } = write;
  const stored = storedRecord(state, before);
  if (stored === null || stored.record.version !== before.version || stored.record.config !== before.config)
    return null;
  if (registeredInfo(state, after.plugin) !== after.pluginInfo) return null;
  const { plugin, enabled, order, name, description, deleted, config, updatedAt, version } = after;
  const changed = { plugin, enabled, order, name, description, deleted, config, updatedAt, version };
  state.records.set(before.id, {
    record: { ...stored.record, ...changed },
    secrets: write.secrets ?? stored.secrets,
  });
  raiseVersion(state, before);
  remember(state, before, activity);
  return recordOf(state, before);
}
