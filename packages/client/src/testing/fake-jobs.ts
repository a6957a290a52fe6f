import type { ClaimedJob, JobClaim, JobRenewal, JobResult } from '../wire.ts';
import { configurationOf } from './fake-feed.ts';
import { errorResponse, fakeService, type FakeResponse, type FakeService } from './fake-service.ts';

/** A service with jobs. Claims wait for them; requests for configurations wait for ever. */
export interface FakeJobs extends FakeService {
  readonly claims: readonly JobClaim[];
  readonly renewals: readonly JobRenewal[];
  /** The results of jobs by id. */
  readonly results: readonly (readonly [id: string, JobResult])[];
  /** Lets a runtime claim a job. */
  queue(job: Partial<ClaimedJob> & { readonly id: string }): void;
  /** Renewals say from now on that the job is cancelled. */
  cancel(id: string): void;
  /** Sets the response to requests of a kind; null to carry them out. */
  respondTo(kind: 'read' | 'claim' | 'renew' | 'end', respond: (() => Response) | null): void;
  /** Ends waiting claims without a job. */
  wake(): void;
}

type Response = FakeResponse | 'hang up' | null;

const JOB: Omit<ClaimedJob, 'id'> = {
  project_id: 1,
  external_id: null,
  record_id: 1,
  plugin: 7,
  plugin_slug: 'geoip',
  type: 'replay',
  payload: { from: 'now' },
  operation: null,
  attempt: 1,
  lease_expires_at: '2026-03-02T18:05:11.250Z',
  config: { token: 'hunter2' },
  config_version: 2,
};

export async function fakeJobs(): Promise<FakeJobs> {
  const claims: JobClaim[] = [];
  const renewals: JobRenewal[] = [];
  const results: [string, JobResult][] = [];
  const cancelled = new Set<string>();
  const responses = new Map<string, () => Response>();
  let queued: ClaimedJob[] = [];
  let changed = Promise.withResolvers<void>();
  const wake = (): void => {
    changed.resolve();
    changed = Promise.withResolvers();
  };

  const claim = async (body: JobClaim): Promise<Response> => {
    claims.push(body);
    const fixed = responses.get('claim')?.() ?? null;
    if (fixed !== null) return fixed;
    if (queued.length === 0) await changed.promise;
    const jobs = queued.slice(0, body.limit);
    queued = queued.slice(jobs.length);
    return { body: { jobs } };
  };

  const service = await fakeService(async ({ method, path, text }) => {
    const id = /\/jobs\/(?<id>[^/]+)/.exec(path)?.groups?.['id'];
    if (id === undefined) {
      if (method !== 'GET') return { status: 204 };
      if (path.includes('wait=')) return new Promise(() => undefined);
      return responses.get('read')?.() ?? { body: configurationOf('a') };
    }
    const body: unknown = JSON.parse(text);
    if (method === 'POST') return (await claim(body as JobClaim)) ?? errorResponse(500, 'error');
    if (method === 'PATCH') {
      renewals.push(body as JobRenewal);
      const lease_expires_at = JOB.lease_expires_at;
      return responses.get('renew')?.() ?? { body: { cancelled: cancelled.has(id), lease_expires_at } };
    }
    results.push([id, body as JobResult]);
    return responses.get('end')?.() ?? { status: 204 };
  });
  return {
    ...service,
    claims,
    renewals,
    results,
    queue(job) {
      queued.push({ ...JOB, ...job });
      wake();
    },
    cancel: (id) => void cancelled.add(id),
    respondTo(kind, respond) {
      if (respond === null) responses.delete(kind);
      else responses.set(kind, respond);
    },
    wake,
  };
}
