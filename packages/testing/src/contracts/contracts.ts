import { trustStoreContract } from './trust-store.contract.ts';
import { userStoreContract } from './user-store.contract.ts';
import { accessProbeContract } from './access-probe.contract.ts';
import { activityLogContract } from './activity-log.contract.ts';
import { activityRetentionContract } from './activity-retention.contract.ts';
import { alertEvaluationsContract } from './alert-evaluations.contract.ts';
import { alertPreviewsContract } from './alert-previews.contract.ts';
import { alertSignalsContract } from './alert-signals.contract.ts';
import { alertStoreContract } from './alert-store.contract.ts';
import { serviceAlertsContract } from './service-alerts.contract.ts';
import { apiKeyStoreContract } from './api-key-store.contract.ts';
import { auditLogContract } from './audit-log.contract.ts';
import { cancellingJobsContract } from './cancelling-jobs.contract.ts';
import { configRecordStoreContract } from './config-record-store.contract.ts';
import { deadLetterStoreContract } from './dead-letter-store.contract.ts';
import { deadLetterWriterContract } from './dead-letter-writer.contract.ts';
import { deadLettersContract } from './dead-letters.contract.ts';
import { deliveryRatesContract } from './delivery-rates.contract.ts';
import { deliverySeriesContract } from './delivery-series.contract.ts';
import { dispatchesContract } from './dispatches.contract.ts';
import { erasureContract } from './erasure.contract.ts';
import { familyChangesContract } from './family-changes.contract.ts';
import { hostReportsContract } from './host-reports.contract.ts';
import { idempotencyContract } from './idempotency.contract.ts';
import { incidentStoreContract } from './incident-store.contract.ts';
import { ingestContract } from './ingest.contract.ts';
import { interruptedBatchContract } from './interrupted-batch.contract.ts';
import { invalidRecordsContract } from './invalid-records.contract.ts';
import { jobRetentionContract } from './job-retention.contract.ts';
import { jobRunStoreContract } from './job-run-store.contract.ts';
import { jobStoreContract } from './job-store.contract.ts';
import { listingJobsContract } from './listing-jobs.contract.ts';
import { logAppendContract } from './log-append.contract.ts';
import { logCountsContract } from './log-counts.contract.ts';
import { logEntryStoreContract } from './log-entry-store.contract.ts';
import { logPagesContract } from './log-pages.contract.ts';
import { logQuotasContract } from './log-quotas.contract.ts';
import { logSequenceContract } from './log-sequence.contract.ts';
import { logStreamContract } from './log-stream.contract.ts';
import { logUpkeepContract } from './log-upkeep.contract.ts';
import { pluginJobStoreContract } from './plugin-job-store.contract.ts';
import { pluginStoreContract } from './plugin-store.contract.ts';
import { recordVersionsContract } from './record-versions.contract.ts';
import { upgradePlanContract } from './upgrade-plan.contract.ts';
import { pluginUpgradeStoreContract } from './plugin-upgrade-store.contract.ts';
import { pluginVersionStoreContract } from './plugin-version-store.contract.ts';
import { projectFeedContract } from './project-feed.contract.ts';
import { projectStoreContract } from './project-store.contract.ts';
import { projectSummariesContract } from './project-summaries.contract.ts';
import { recordOwnersContract } from './record-owners.contract.ts';
import { reportStoreContract } from './report-store.contract.ts';
import { reportedErrorsContract } from './reported-errors.contract.ts';
import { retryDeadLettersContract } from './retry-dead-letters.contract.ts';
import { revisionRetentionContract } from './revision-retention.contract.ts';
import { revisionStoreContract } from './revision-store.contract.ts';
import { runtimeStoreContract } from './runtime-store.contract.ts';
import { taskQueueContract } from './task-queue.contract.ts';
import { webhookEventsContract } from './webhook-events.contract.ts';
import { webhookStoreContract } from './webhook-store.contract.ts';
import type { LogPorts } from '../log-ports.ts';
import type { TestWith } from '../test-with.ts';

/** Contract suites, by what they specify. */
export type Contracts = Readonly<Record<string, (test: TestWith<LogPorts>) => void>>;

/** Contract suites of the ports of keys, projects, plugins and runtimes. */
export const ACCESS_CONTRACTS: Contracts = {
  'trust store': trustStoreContract,
  'user store': userStoreContract,
  'access probe': accessProbeContract,
  'API key store': apiKeyStoreContract,
  'audit log': auditLogContract,
  'plugin store': pluginStoreContract,
  'plugin version store': pluginVersionStoreContract,
  'plugin upgrade store': pluginUpgradeStoreContract,
  'versions of records': recordVersionsContract,
  'upgrade plans': upgradePlanContract,
  'invalid records': invalidRecordsContract,
  'project store': projectStoreContract,
  erasure: erasureContract,
  'runtime store': runtimeStoreContract,
  'reports of hosts': hostReportsContract,
  'feed of all projects': projectFeedContract,
};

/** Contract suites of the ports of alerts. */
export const ALERT_CONTRACTS: Contracts = {
  'alert store': alertStoreContract,
  'incident store': incidentStoreContract,
  'alert evaluations': alertEvaluationsContract,
  'signals of alerts': alertSignalsContract,
  'alert previews': alertPreviewsContract,
  'alerts on all projects': serviceAlertsContract,
};

/** Contract suites of the ports of records and their history. */
export const RECORD_CONTRACTS: Contracts = {
  'config record store': configRecordStoreContract,
  'revision store': revisionStoreContract,
  'family changes': familyChangesContract,
  'activity log': activityLogContract,
  idempotency: idempotencyContract,
  'activity retention': activityRetentionContract,
  'revision retention': revisionRetentionContract,
};

/** Contract suites of the ports of jobs. */
export const JOB_CONTRACTS: Contracts = {
  'job store': jobStoreContract,
  'job run store': jobRunStoreContract,
  'plugin job store': pluginJobStoreContract,
  'list of jobs': listingJobsContract,
  'cancellation of jobs': cancellingJobsContract,
  'job retention': jobRetentionContract,
};

/** Contract suites of the ports that write or read log entries, run once per tier. */
export const LOG_ENTRY_CONTRACTS: Contracts = {
  'appending log entries': logAppendContract,
  'ingesting messages': ingestContract,
  'log counts': logCountsContract,
  'log entry store': logEntryStoreContract,
  'log pages': logPagesContract,
  'retrying dead letters': retryDeadLettersContract,
};

/** Contract suites of the other ports of logs. */
export const LOG_CONTRACTS: Contracts = {
  'log sequence numbers': logSequenceContract,
  'log quotas': logQuotasContract,
  'log streams': logStreamContract,
  'log upkeep': logUpkeepContract,
};

/** Contract suites of the ports that store the rest of a batch (dead letters, deliveries and errors), and of their sums. */
export const INGESTION_CONTRACTS: Contracts = {
  'an interrupted batch': interruptedBatchContract,
  'dead letter store': deadLetterStoreContract,
  'dead letter writer': deadLetterWriterContract,
  'dead letters of a batch': deadLettersContract,
  'delivery rates': deliveryRatesContract,
  'deliveries over time': deliverySeriesContract,
  'record owners': recordOwnersContract,
  'report store': reportStoreContract,
  'reported errors': reportedErrorsContract,
  'project summaries': projectSummariesContract,
};

/** Contract suites of the ports of webhooks. */
export const WEBHOOK_CONTRACTS: Contracts = {
  'webhook store': webhookStoreContract,
  dispatches: dispatchesContract,
  'webhook events': webhookEventsContract,
};

/** The contract suite of the queue of all background work. */
export const TASK_CONTRACTS: Contracts = { 'task queue': taskQueueContract };
