import { serviceMethods } from '../calls/methods.ts';
import type { ClaimedJob, ClaimedJobs, JobClaim, JobRenewal, JobResult, RenewedJob } from '../wire.ts';
import { notFromService, requestsOf, WAIT_SECONDS } from './connection.ts';
import type { FollowingOptions } from './plugin-runtime.ts';

/** The calls of a runtime for jobs. Each sends one request. */
export interface JobsConnection {
  /** Waits for jobs, and resolves to none if there is none. */
  claim(claim: Omit<JobClaim, 'instance' | 'wait'>, signal: AbortSignal): Promise<readonly ClaimedJob[]>;
  /** Gives up when the lease ends, which it does after `leftMs`. */
  renew(
    id: string,
    renewal: Omit<JobRenewal, 'instance'>,
    options: { readonly signal: AbortSignal; readonly leftMs: number },
  ): Promise<RenewedJob>;
  end(id: string, result: Omit<JobResult, 'instance'>, signal: AbortSignal): Promise<void>;
}

export function jobsConnection(options: FollowingOptions): JobsConnection {
  const { family } = options;
  const { api, timeoutMs, instance } = requestsOf(options);
  const { feed } = serviceMethods(api);
  return {
    async claim(claim, signal) {
      const received = await feed.claimJobs(
        family,
        { ...claim, instance, wait: WAIT_SECONDS },
        { timeoutMs: timeoutMs + WAIT_SECONDS * 1000, signal },
      );
      requireJobs(received);
      return received.jobs;
    },
    renew: async (id, renewal, { signal, leftMs }) =>
      feed.renewJob(family, id, { ...renewal, instance }, { signal, timeoutMs: Math.min(timeoutMs, leftMs) }),
    end: async (id, result, signal) => feed.endJob(family, id, { ...result, instance }, { signal }),
  };
}

function requireJobs(received: Partial<ClaimedJobs> | undefined): void {
  if (!Array.isArray(received?.jobs)) throw notFromService();
}
