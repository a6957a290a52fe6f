import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';
import { accessProbeContract } from './access-probe.contract.ts';
import { activityLogContract } from './activity-log.contract.ts';
import { activityRetentionContract } from './activity-retention.contract.ts';
import { apiKeyStoreContract } from './api-key-store.contract.ts';
import { auditLogContract } from './audit-log.contract.ts';
import { cancellingJobsContract } from './cancelling-jobs.contract.ts';
import { configRecordStoreContract } from './config-record-store.contract.ts';
import { revisionRetentionContract } from './revision-retention.contract.ts';
import { revisionStoreContract } from './revision-store.contract.ts';
import { familyChangesContract } from './family-changes.contract.ts';
import { idempotencyContract } from './idempotency.contract.ts';
import { jobRetentionContract } from './job-retention.contract.ts';
import { jobRunStoreContract } from './job-run-store.contract.ts';
import { jobStoreContract } from './job-store.contract.ts';
import { listingJobsContract } from './listing-jobs.contract.ts';
import { logOutboxContract } from './log-outbox.contract.ts';
import { pluginStoreContract } from './plugin-store.contract.ts';
import { projectStoreContract } from './project-store.contract.ts';
import { runtimeStoreContract } from './runtime-store.contract.ts';

/** Contract suites of the ports of configurations and jobs. */
export const PORT_CONTRACTS: Readonly<Record<string, (test: TestWith<Ports>) => void>> = {
  'access probe': accessProbeContract,
  'activity log': activityLogContract,
  'API key store': apiKeyStoreContract,
  'audit log': auditLogContract,
  'config record store': configRecordStoreContract,
  'revision store': revisionStoreContract,
  'family changes': familyChangesContract,
  'job store': jobStoreContract,
  'plugin store': pluginStoreContract,
  'project store': projectStoreContract,
  'runtime store': runtimeStoreContract,
  'job run store': jobRunStoreContract,
  'list of jobs': listingJobsContract,
  'cancellation of jobs': cancellingJobsContract,
  idempotency: idempotencyContract,
  'log outbox': logOutboxContract,
  'job retention': jobRetentionContract,
  'activity retention': activityRetentionContract,
  'revision retention': revisionRetentionContract,
};
