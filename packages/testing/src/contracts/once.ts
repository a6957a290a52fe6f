import type {
  Author,
  ConfigRecord,
  ConfigRecordStore,
  CreateOptions,
  FamilyRef,
  Job,
  JobStore,
  Precondition,
  QueuedJob,
  RecordDraft,
  RequestKey,
  Restore,
  RestoredRecord,
  RevisionStore,
} from '@plugin-config/domain';
import { anAuthor } from '../builders/an-author.ts';

export type KeyOf = Pick<RequestKey, 'name' | 'digest'>;

/** The result of a request with a key, and the digest of the first request with it. */
export interface Once<T> {
  readonly value: T;
  readonly digest: string;
  readonly isFirst: boolean;
}

/** Runs a request with a key. */
export async function once<T>(
  key: KeyOf,
  work: (key: RequestKey) => Promise<T | null>,
): Promise<Once<T> | null> {
  const digests: string[] = [];
  const value = await work({ ...key, repeat: (digest) => void digests.push(digest) });
  const [first] = digests;
  return value === null ? null : { value, digest: first ?? key.digest, isFirst: first === undefined };
}

export function createOnce(
  records: Pick<ConfigRecordStore, 'create'>,
  family: FamilyRef,
  draft: RecordDraft,
  options: CreateOptions,
  key: KeyOf,
): Promise<Once<ConfigRecord> | null> {
  return once(key, (of) =>
    records.create(family, draft, { ...options, author: { ...options.author, once: of } }),
  );
}

export function keptCreation(
  records: Pick<ConfigRecordStore, 'kept'>,
  family: FamilyRef,
  draft: RecordDraft,
  key: KeyOf,
): Promise<Once<ConfigRecord> | null> {
  return once(key, (of) => records.kept(family, draft, anAuthor({ once: of })));
}

export interface KeyedJob {
  readonly job: Job;
  readonly response: QueuedJob;
  readonly precondition: Precondition;
  readonly key: KeyOf;
}

export async function queueOnce(
  jobs: Pick<JobStore, 'queue'>,
  { job, response, precondition, key }: KeyedJob,
): Promise<Once<QueuedJob>> {
  const queued = await once(key, async (of) => {
    const kept = await jobs.queue(job, precondition, { keep: { key: of, response } });
    return kept ?? response;
  });
  if (queued === null) throw new Error('A job is always queued.');
  return queued;
}

export function restoreOnce(
  revisions: Pick<RevisionStore, 'restore'>,
  { key, author, ...restore }: Restore & { readonly key: KeyOf; readonly author: Author },
): Promise<Once<RestoredRecord> | null> {
  return once(key, (of) => revisions.restore({ ...restore, author: { ...author, once: of } }));
}

export function keptRestore(
  revisions: Pick<RevisionStore, 'kept'>,
  key: KeyOf,
): Promise<Once<RestoredRecord> | null> {
  return once(key, (of) => revisions.kept(anAuthor({ once: of })));
}
