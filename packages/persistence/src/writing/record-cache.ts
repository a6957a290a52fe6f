import {
  SMALL_CHANGE_BYTES,
  type AccessResult,
  type AccessQuery,
  type ConfigRecord,
  type KeyGrant,
} from '@plugin-config/domain';
import { LRUCache } from 'lru-cache';
import type { Database } from '../postgres/database.ts';

/**
 * The keys, projects and records that this process has used most recently. They may be outdated. Always empty for dry runs.
 */
export interface RecordCache {
  /** Returns the cached result of a query; null unless all of it is cached. */
  lookUp(query: AccessQuery): AccessResult | null;
  /** Returns the account of a key, which never changes; null if it is not cached. */
  accountOf(keyHash: string): number | null;
  storeResults(queries: readonly AccessQuery[], results: readonly AccessResult[]): void;
  storeRecord(record: ConfigRecord): void;
  /** Drops an outdated record, unless a later version has been stored since. */
  forgetRecord(record: ConfigRecord): void;
}

const KEYS_MAX = 1000;
const PROJECTS_MAX = 10_000;
/** The maximum size of the cache, in characters plus an overhead per record. */
const RECORDS_MAX_SIZE = 8 * 1024 * 1024;
const RECORD_OVERHEAD = 500;

export function newRecordCache({ primary, isDry }: Pick<Database, 'primary' | 'isDry'>): RecordCache {
  const keys = new LRUCache<string, KeyGrant>({ max: KEYS_MAX });
  const projects = new LRUCache<number, true>({ max: PROJECTS_MAX });
  const records = new LRUCache<number, ConfigRecord>({
    maxSize: RECORDS_MAX_SIZE,
    maxEntrySize: SMALL_CHANGE_BYTES,
    sizeCalculation: sizeOf,
  });
  primary.onLostCommits(() => [keys, projects, records].forEach((cache) => cache.clear()));
  const storeKey = (keyHash: string, key: KeyGrant | null): void => {
    if (key === null) keys.delete(keyHash);
    else keys.set(keyHash, key);
  };
  const versionOf = (id: number): number => records.peek(id)?.version ?? 0;
  const storeRecord = (record: ConfigRecord): void => {
    // An older read can resolve after a newer write.
    if (versionOf(record.id) <= record.version) records.set(record.id, record);
  };
  return {
    lookUp({ keyHash, project, family, recordId }) {
      const key = keys.get(keyHash);
      if (key === undefined || typeof project !== 'number' || projects.get(project) === undefined)
        return null;
      const cached = {
        key,
        projectId: project,
        familyVersion: 0,
        timelineId: primary.timelineId,
        registryVersion: 0,
        cacheVersion: NEVER_CACHED,
      };
      if (recordId === null) return { ...cached, record: null };
      const record = records.get(recordId);
      const isInFamily = record?.projectId === project && record.family === family;
      return isInFamily ? { ...cached, record } : null;
    },
    accountOf: (keyHash) => keys.peek(keyHash)?.accountId ?? null,
    storeResults(queries, results) {
      if (isDry) return;
      let last: KeyGrant | undefined;
      for (const [i, { key, projectId, record }] of results.entries()) {
        // Most queries of a batch have the same key.
        if (key === null || key !== last) storeKey((queries[i] as AccessQuery).keyHash, key);
        last = key ?? undefined;
        if (projectId !== null) projects.set(projectId, true);
        if (record !== null) storeRecord(record);
      }
    },
    storeRecord(record) {
      if (isDry) return;
      storeRecord(record);
    },
    forgetRecord({ id, version }) {
      if (versionOf(id) <= version) records.delete(id);
    },
  };
}

/** Higher than any cache version: this cache says nothing about the state of the family. */
const NEVER_CACHED = Infinity;

/** Counts the characters of all texts in a record. */
function sizeOf(record: ConfigRecord): number {
  let size = RECORD_OVERHEAD;
  for (const value of Object.values(record)) if (typeof value === 'string') size += value.length;
  return size;
}
