import {
  SMALL_CHANGE_BYTES,
  type AccessAnswer,
  type AccessQuestion,
  type ConfigRecord,
  type KeyGrant,
} from '@plugin-config/domain';
import type { Database } from '../postgres/database.ts';

/**
 * The keys, the projects and the records that this process has read or stored lately. Others may have changed them since.
 * Empty for dry runs.
 */
export interface Recollection {
  /** What is known of a question; null unless it can be answered as a whole. */
  recall(question: AccessQuestion): AccessAnswer | null;
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
  const keys = new Map<string, KeyGrant>();
  const projects = new Set<number>();
  const records = new Map<number, ConfigRecord>();
  let size = 0;
  let generation = primary.generation;

  /** Forgets everything if commits that it is from may be lost. */
  const keepUp = (): void => {
    if (generation === primary.generation) return;
    generation = primary.generation;
    keys.clear();
    projects.clear();
    records.clear();
    size = 0;
  };
  const drop = (record: ConfigRecord | undefined): void => {
    if (record !== undefined && records.delete(record.id)) size -= sizeOf(record);
  };
  const noteKey = (keyHash: string, key: KeyGrant | null): void => {
    keys.delete(keyHash);
    if (key === null) return;
    dropOldest(keys, KEYS_MAX);
    keys.set(keyHash, key);
  };
  const noteProject = (id: number): void => {
    if (projects.has(id)) return;
    dropOldest(projects, PROJECTS_MAX);
    projects.add(id);
  };
  const noteRecord = (record: ConfigRecord): void => {
    const known = records.get(record.id);
    // What was asked before a change may be told after it.
    if ((known?.version ?? 0) > record.version) return;
    drop(known);
    const ownSize = sizeOf(record);
    if (ownSize > SMALL_CHANGE_BYTES) return;
    records.set(record.id, record);
    size += ownSize;
    for (const oldest of records.values()) {
      if (size <= RECORDS_MAX_SIZE) break;
      drop(oldest);
    }
  };
  return {
    recall({ keyHash, project, family, recordId }) {
      keepUp();
      const key = keys.get(keyHash);
      if (key === undefined || typeof project !== 'number' || !projects.has(project)) return null;
      const known = {
        key,
        projectId: project,
        revision: 0,
        lineage: primary.lineage,
        freshness: NEVER_FRESH,
      };
      if (recordId === null) return { ...known, record: null };
      const record = records.get(recordId);
      const isAddressed = record?.projectId === project && record.family === family;
      return isAddressed ? { ...known, record } : null;
    },
    note(questions, answers) {
      if (isDry) return;
      keepUp();
      let last: KeyGrant | undefined;
      for (const [i, { key, projectId, record }] of answers.entries()) {
        // Most questions of a batch are about one key.
        if (key === null || key !== last) noteKey((questions[i] as AccessQuestion).keyHash, key);
        last = key ?? undefined;
        if (projectId !== null) noteProject(projectId);
        if (record !== null) noteRecord(record);
      }
    },
    noteRecord(record) {
      if (isDry) return;
      keepUp();
      noteRecord(record);
    },
    forgetRecord({ id, version }) {
      const known = records.get(id);
      if ((known?.version ?? 0) <= version) drop(known);
    },
  };
}

/** No answer in memory is as fresh: what is known here tells nothing of the family. */
const NEVER_FRESH = Infinity;

/** Drops the oldest one of as many as may be kept, for another one. */
function dropOldest<K>(kept: Map<K, unknown> | Set<K>, most: number): void {
  if (kept.size >= most) for (const oldest of kept.keys().take(1)) kept.delete(oldest);
}

/** Counts the characters of whatever texts a record has, without reading them. */
function sizeOf(record: ConfigRecord): number {
  let size = OWN_SIZE;
  for (const value of Object.values(record)) if (typeof value === 'string') size += value.length;
  return size;
}
