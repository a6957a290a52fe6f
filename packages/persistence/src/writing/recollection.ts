import {
  SMALL_CHANGE_BYTES,
  type AccessAnswer,
  type AccessQuestion,
  type ConfigRecord,
  type KeyGrant,
} from '@plugin-config/domain';
import type { Primary } from '../postgres/primary.ts';

/** The keys and records that this process has read or stored lately. Others may have changed them since. */
export interface Recollection {
  /** What is known of a question; null unless it can be answered as a whole. */
  recall(question: AccessQuestion): AccessAnswer | null;
  note(questions: readonly AccessQuestion[], answers: readonly AccessAnswer[]): void;
  noteRecord(record: ConfigRecord): void;
  /** Forgets a record that others have changed, unless a later version was noted since. */
  forgetRecord(record: ConfigRecord): void;
}

const KEYS_MAX = 1000;
/** The characters of all records, and for each what it takes besides. */
const RECORDS_MAX_SIZE = 8 * 1024 * 1024;
const OWN_SIZE = 500;

export function newRecollection({ primary }: { readonly primary: Primary }): Recollection {
  const keys = new Map<string, KeyGrant>();
  const records = new Map<number, ConfigRecord>();
  let size = 0;
  let generation = primary.generation;

  /** Forgets everything if commits that it is from may be lost. */
  const keepUp = (): void => {
    if (generation === primary.generation) return;
    generation = primary.generation;
    keys.clear();
    records.clear();
    size = 0;
  };
  const drop = (record: ConfigRecord | undefined): void => {
    if (record !== undefined && records.delete(record.id)) size -= sizeOf(record);
  };
  const noteKey = (keyHash: string, key: KeyGrant): void => {
    keys.delete(keyHash);
    if (keys.size >= KEYS_MAX) for (const first of keys.keys().take(1)) keys.delete(first);
    keys.set(keyHash, key);
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
      if (key === undefined || typeof project !== 'number') return null;
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
      keepUp();
      let last: KeyGrant | null = null;
      for (const [i, { key, record }] of answers.entries()) {
        // Most questions of a batch are about one key.
        if (key !== null && key !== last) noteKey((questions[i] as AccessQuestion).keyHash, key);
        last = key;
        if (record !== null) noteRecord(record);
      }
    },
    noteRecord(record) {
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

/** Counts whatever texts a record has. */
function sizeOf(record: ConfigRecord): number {
  let size = OWN_SIZE;
  for (const value of Object.values(record)) if (typeof value === 'string') size += value.length;
  return size;
}
