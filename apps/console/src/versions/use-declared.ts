import { headersOf, type ConfigRecord, type PluginVersion } from '@plugin-config/client';
import { useMarked } from '../live/use-marked.ts';
import { usePlugin } from '../record/use-plugins.ts';
import { useMayRead } from '../session/session.ts';
import type { FamilyRef } from '../shell/addresses.ts';
import { useVersions } from './use-versions.ts';
import { followedVersion } from './version-words.ts';

type Declared = Pick<PluginVersion, 'config_schema' | 'jobs'> | null | undefined;

/**
 * Reads the version of a plugin that a record follows: its schema and jobs with their JSON Schemas, which records do not show. Null if
 * it is not the current one and the user may read no other.
 */
export function useDeclared(at: FamilyRef, record: ConfigRecord, isNeeded = true) {
  const mayRead = useMayRead(at.projectId);
  const versions = useVersions(record.plugin, isNeeded && mayRead);
  const current = usePlugin(record.plugin, isNeeded && !mayRead);
  const outdated = useMarked(at, 'outdated', isNeeded && !mayRead);
  if (mayRead) {
    const { data, error } = versions;
    const followed: Declared = data && (followedVersion(data, headersOf(record)).followed ?? null);
    return { data: followed, error };
  }
  const isCurrent = !outdated.ids.has(record.id);
  const { data, error } = current;
  const declared: Declared = isCurrent ? data : null;
  return { data: outdated.isRead ? declared : undefined, error: error ?? outdated.error };
}
