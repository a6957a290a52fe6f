import { activityRetentionContract } from './contracts/activity-retention.contract.ts';
import { cancellingJobsContract } from './contracts/cancelling-jobs.contract.ts';
import { editionRetentionContract } from './contracts/edition-retention.contract.ts';
import { idempotencyContract } from './contracts/idempotency.contract.ts';
import { jobRunStoreContract } from './contracts/job-run-store.contract.ts';
import { jobRetentionContract } from './contracts/job-retention.contract.ts';
import { listingJobsContract } from './contracts/listing-jobs.contract.ts';
import type { RunPorts } from './run-ports.ts';
import type { TestWith } from './test-with.ts';
import { logOutboxContract } from './contracts/log-outbox.contract.ts';
import { runJobContract } from './use-cases/run-job.contract.ts';

/** Contract suites of the ports that run jobs. */
export const RUN_CONTRACTS: Readonly<Record<string, (test: TestWith<RunPorts>) => void>> = {
  'job run store': jobRunStoreContract,
  'list of jobs': listingJobsContract,
  'cancellation of jobs': cancellingJobsContract,
  idempotency: idempotencyContract,
  'log outbox': logOutboxContract,
  'job retention': jobRetentionContract,
  'activity retention': activityRetentionContract,
  'edition retention': editionRetentionContract,
  'running a job': runJobContract,
};
