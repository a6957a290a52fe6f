import {
  SMALL_CHANGE_BYTES,
  type AccessAnswer,
  type AccessQuestion,
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
export interface Recollection {
  /** What is known of a question; null unless it can be answered as a whole. */
  recall(question: AccessQuestion): AccessAnswer | null;
  /** The account of a key, which never changes; null if it is not known. */
  accountOf(keyHash: string): number | null;
  note(questions: readonly AccessQuestion[], answers: readonly AccessAnswer[]): void;
  noteRecord(record: ConfigRecord): void;
  /** Forgets a record that others have changed, unless a later version was noted since. */
  forgetRecord(record: ConfigRecord): void;
}

const KEYS_MAX = 1000;
const PROJECTS_MAX = 10_000;
/** The characters of all records, and for each what it takes besides. */
const RECORDS_MAX_SIZE = 8 * 1024 * 1024;
const OWN_SIZE = 500;

export function newRecollection({ primary, isDry }: Pick<Database, 'primary' | 'isDry'>): Recollection {
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
  const noteRecord = (record: ConfigRecord): void => {
    // What was asked before a change may be told after it.
    if (versionOf(record.id) <= record.version) records.set(record.id, record);
  };
  return {
    recall({ keyHash, project, family, recordId }) {
      forget();
      const key = keys.get(keyHash);
      if (key === undefined || typeof project !== 'number' || projects.get(project) === undefined)
        return null;
      const known = {
        key,
        projectId: project,
        revision: 0,
        lineage: primary.lineage,
        registryVersion: 0,
        freshness: NEVER_FRESH,
      };
      if (recordId === null) return { ...known, record: null };
      const record = records.get(recordId);
      const isAddressed = record?.projectId === project && record.family === family;
      return isAddressed ? { ...known, record } : null;
    },
    accountOf: (keyHash) => keys.peek(keyHash)?.accountId ?? null,
    note(questions, answers) {
      if (isDry) return;
      forget();
      let last: KeyGrant | undefined;
      for (const [i, { key, projectId, record }] of answers.entries()) {
        // Most questions of a batch are about one key.
        if (key === null || key !== last) noteKey((questions[i] as AccessQuestion).keyHash, key);
        last = key ?? undefined;
        if (projectId !== null) projects.set(projectId, true);
        if (record !== null) noteRecord(record);
      }
    },
    noteRecord(record) {
      if (isDry) return;
      forget();
      noteRecord(record);
    },
    forgetRecord({ id, version }) {
      if (versionOf(id) <= version) records.delete(id);
    },
  };
}

/** No answer in memory is as fresh: what is known here tells nothing of the family. */
const NEVER_FRESH = Infinity;

/** Counts the characters of whatever texts a record has, without reading them. */
function sizeOf(record: ConfigRecord): number {
  let size = OWN_SIZE;
  for (const value of Object.values(record)) if (typeof value === 'string') size += value.length;
  return size;
}
