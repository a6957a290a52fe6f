import {
  byPosition,
  pluginInfo,
  type ConfigRecord,
  type FamilyRef,
  type RecordRef,
  type StoredConfiguration,
} from '@plugin-config/domain';
import type { MemoryState, StoredRecord } from './memory-state.ts';

export function registeredRevision({ plugins }: MemoryState, plugin: number): number | null {
  return plugins.get(plugin)?.revision ?? null;
}

/** The number of registrations and removals of plugins. */
export function registrationsOf({ pluginRevisions }: MemoryState): number {
  return pluginRevisions.values().reduce((sum, revision) => sum + revision, 0);
}

export function storedRecord({ records }: MemoryState, ref: RecordRef): StoredRecord | null {
  const stored = records.get(ref.id);
  return stored !== undefined && isOf(ref, stored.record) ? stored : null;
}

export function recordOf(state: MemoryState, ref: RecordRef): ConfigRecord | null {
  const stored = storedRecord(state, ref);
  return stored && withInfo(state, stored);
}

/** The record of a kept answer with its configuration and plugin as they are now. */
export function asConfiguredNow(state: MemoryState, record: ConfigRecord): ConfigRecord {
  const config = storedRecord(state, record)?.record.config ?? record.config;
  return withInfo(state, { record: { ...record, config } });
}

export function configurationOf(
  state: MemoryState,
  ref: RecordRef,
  plugin?: number,
): StoredConfiguration | null {
  const stored = storedRecord(state, ref);
  if (stored === null) return null;
  const record = withInfo(state, stored);
  const registration = state.plugins.get(plugin ?? record.plugin);
  return {
    record,
    secrets: stored.secrets,
    plugin: registration?.plugin ?? null,
    pluginRevision: registration?.revision ?? null,
  };
}

/** All records of the family, sorted by position. */
export function recordsOf(state: MemoryState, family: FamilyRef): readonly ConfigRecord[] {
  return [...state.records.values()]
    .filter(({ record }) => isOf(family, record))
    .map((stored) => withInfo(state, stored))
    .toSorted(byPosition);
}

export function liveOf(state: MemoryState, family: FamilyRef): readonly ConfigRecord[] {
  return recordsOf(state, family).filter(({ deleted }) => !deleted);
}

function isOf({ projectId, family }: FamilyRef, record: FamilyRef): boolean {
  return record.projectId === projectId && record.family === family;
}

function withInfo(state: MemoryState, { record }: Pick<StoredRecord, 'record'>): ConfigRecord {
  const registration = state.plugins.get(record.plugin);
  return {
    ...record,
    pluginInfo: registration === undefined ? null : pluginInfo(registration.plugin),
    pluginRevision: registration?.revision ?? null,
  };
}
