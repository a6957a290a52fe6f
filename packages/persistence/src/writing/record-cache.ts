import {
  SMALL_CHANGE_BYTES,
  type AccessResult,
  type AccessQuery,
  type ConfigRecord,
  type KeyGrant,
} from '@plugin-config/domain';
import { LRUCache } from 'lru-cache';
import type { Database } from '../postgres/database.ts';
import { forgetLostCommits } from '../postgres/forget-lost-commits.ts';

/**
 * The keys, the projects and the records that this process has used last. Others may have changed them since.
 * Empty for dry runs.
 */
export interface RecordCache {
  /** What is known of a query; null unless it can be answered as a whole. */
  lookUp(query: AccessQuery): AccessResult | null;
  /** The account of a key, which never changes; null if it is not known. */
  accountOf(keyHash: string): number | null;
  note(queries: readonly AccessQuery[], answers: readonly AccessResult[]): void;
  storeRecord(record: ConfigRecord): void;
  /** Forgets a record that others have changed, unless a later version was noted since. */
  forgetRecord(record: ConfigRecord): void;
}

const KEYS_MAX = 1000;
const PROJECTS_MAX = 10_000;
/** The characters of all records, and for each what it takes besides. */
const RECORDS_MAX_SIZE = 8 * 1024 * 1024;
const OWN_SIZE = 500;

export function newRecordCache({ primary, isDry }: Pick<Database, 'primary' | 'isDry'>): RecordCache {
  const keys = new LRUCache<string, KeyGrant>({ max: KEYS_MAX });
  const projects = new LRUCache<number, true>({ max: PROJECTS_MAX });
  const records = new LRUCache<number, ConfigRecord>({
    maxSize: RECORDS_MAX_SIZE,
    maxEntrySize: SMALL_CHANGE_BYTES,
    sizeCalculation: sizeOf,
  });
  const forget = forgetLostCommits(primary, keys, projects, records);
  const noteKey = (keyHash: string, key: KeyGrant | null): void => {
    if (key === null) keys.delete(keyHash);
    else keys.set(keyHash, key);
  };
  const versionOf = (id: number): number => records.peek(id)?.version ?? 0;
  const storeRecord = (record: ConfigRecord): void => {
    // What was asked before a change may be told after it.
    if (versionOf(record.id) <= record.version) records.set(record.id, record);
  };
  return {
    lookUp({ keyHash, project, family, recordId }) {
      forget();
      const key = keys.get(keyHash);
      if (key === undefined || typeof project !== 'number' || projects.get(project) === undefined)
        return null;
      const known = {
        key,
        projectId: project,
        familyVersion: 0,
        timelineId: primary.timelineId,
        registryVersion: 0,
        cacheVersion: NEVER_CACHED,
      };
      if (recordId === null) return { ...known, record: null };
      const record = records.get(recordId);
      const isAddressed = record?.projectId === project && record.family === family;
      return isAddressed ? { ...known, record } : null;
    },
    accountOf: (keyHash) => keys.peek(keyHash)?.accountId ?? null,
    note(queries, answers) {
      if (isDry) return;
      forget();
      let last: KeyGrant | undefined;
      for (const [i, { key, projectId, record }] of answers.entries()) {
        // Most queries of a batch are about one key.
        if (key === null || key !== last) noteKey((queries[i] as AccessQuery).keyHash, key);
        last = key ?? undefined;
        if (projectId !== null) projects.set(projectId, true);
        if (record !== null) storeRecord(record);
      }
    },
    storeRecord(record) {
      if (isDry) return;
      forget();
      storeRecord(record);
    },
    forgetRecord({ id, version }) {
      if (versionOf(id) <= version) records.delete(id);
    },
  };
}

/** No answer in memory is as fresh: what is known here tells nothing of the family. */
const NEVER_CACHED = Infinity;

/** Counts the characters of whatever texts a record has, without reading them. */
function sizeOf(record: ConfigRecord): number {
  let size = OWN_SIZE;
  for (const value of Object.values(record)) if (typeof value === 'string') size += value.length;
  return size;
}
