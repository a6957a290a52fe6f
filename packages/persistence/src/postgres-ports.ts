import type { JobRunStore } from '@plugin-config/domain';
import { sha256TokenHasher } from './access/key-columns.ts';
import { postgresAccessProbe } from './access/postgres-access-probe.ts';
import { postgresApiKeyStore } from './access/postgres-api-key-store.ts';
import { postgresTrustStore } from './access/postgres-trust-store.ts';
import { postgresUserStore } from './access/postgres-user-store.ts';
import { postgresActivityLog } from './activity/postgres-activity-log.ts';
import { postgresAlertEvaluations } from './alert/postgres-alert-evaluations.ts';
import { postgresAlertPreviews } from './alert/postgres-alert-previews.ts';
import { postgresAlertStore } from './alert/postgres-alert-store.ts';
import { postgresIncidentStore } from './alert/postgres-incident-store.ts';
import { postgresAuditLog } from './audit/postgres-audit-log.ts';
import { hmacAccessTokens } from './crypto/hmac-access-tokens.ts';
import { nodeRandomness } from './crypto/node-randomness.ts';
import { postgresDeadLetterStore } from './dead-letter/postgres-dead-letter-store.ts';
import { postgresManagedRecords } from './declaration/postgres-managed-records.ts';
import { postgresDeliveryRates } from './delivery/postgres-delivery-rates.ts';
import { postgresDeliverySeries } from './delivery/postgres-delivery-series.ts';
import { postgresReportedErrors } from './delivery/postgres-reported-errors.ts';
import { postgresFamilyChanges } from './following/postgres-family-changes.ts';
import { postgresLogSequence } from './following/postgres-log-sequence.ts';
import { postgresProjectSummaries } from './overview/postgres-project-summaries.ts';
import { postgresRevisionStore } from './revision/postgres-revision-store.ts';
import { beginJob } from './job/begin-job.ts';
import { postgresJobStore } from './job/postgres-job-store.ts';
import { settleJob } from './job/settle-job.ts';
import { postgresLogCounts } from './log/postgres-log-counts.ts';
import { postgresPluginJobStore } from './plugin-job/postgres-plugin-job-store.ts';
import { jsonSchemas } from './json-schema/ajv-json-schemas.ts';
import { postgresPluginUpgradeStore } from './plugin/postgres-plugin-upgrade-store.ts';
import { postgresPluginVersionStore } from './plugin/postgres-plugin-version-store.ts';
import { postgresPluginStore } from './plugin/postgres-plugin-store.ts';
import type { EncryptedStore } from './configuration/encrypted-database.ts';
import { postgresErasureStore } from './project/postgres-erasure-store.ts';
import { postgresEraser } from './project/postgres-eraser.ts';
import { postgresProjectStore } from './project/postgres-project-store.ts';
import { postgresConfigRecordStore } from './record/postgres-config-record-store.ts';
import { postgresConfigurationValues } from './record/read-configuration.ts';
import { postgresProjectFeed } from './runtime/postgres-project-feed.ts';
import { postgresRuntimeStore } from './runtime/postgres-runtime-store.ts';
import { postgresLogUsageStore } from './usage/postgres-log-usage.ts';
import { postgresTaskQueue } from './task/postgres-task-queue.ts';
import { postgresDispatchStore } from './webhook/postgres-dispatch-store.ts';
import { postgresWebhookEvents } from './webhook/postgres-webhook-events.ts';
import { postgresDispatchRunStore } from './webhook/postgres-dispatch-run-store.ts';
import { postgresWebhookStore } from './webhook/postgres-webhook-store.ts';
import { postgresRetention } from './retention/postgres-retention.ts';
import { unknownKeys } from './crypto/secrets-keys.ts';

export type PostgresPorts = ReturnType<typeof postgresPorts>;

/** Creates the adapters that only need a database, or its `dry` database for dry runs. */
export function postgresPorts(database: EncryptedStore) {
  return {
    probe: postgresAccessProbe(database),
    keys: postgresApiKeyStore(database),
    trusts: postgresTrustStore(database),
    users: postgresUserStore(database),
    hasher: sha256TokenHasher(),
    projects: postgresProjectStore(database),
    erasures: postgresErasureStore(database),
    eraser: postgresEraser(database),
    plugins: postgresPluginStore(database),
    pluginVersions: postgresPluginVersionStore(database),
    upgrades: postgresPluginUpgradeStore(database),
    records: postgresConfigRecordStore(database),
    configurationValues: postgresConfigurationValues(database),
    changes: postgresFamilyChanges(database),
    activity: postgresActivityLog(database),
    revisions: postgresRevisionStore(database),
    audit: postgresAuditLog(database),
    jobs: postgresJobStore(database),
    jobRuns: {
      begin: (task) => beginJob(database, task),
      settle: (job, decide) => settleJob(database, { job, decide }),
    } satisfies JobRunStore,
    pluginJobs: postgresPluginJobStore(database),
    sequence: postgresLogSequence(database),
    logCounts: postgresLogCounts(database),
    deadLetters: postgresDeadLetterStore(database),
    summaries: postgresProjectSummaries(database),
    rates: postgresDeliveryRates(database),
    deliveries: postgresDeliverySeries(database),
    errors: postgresReportedErrors(database),
    runtimes: postgresRuntimeStore(database),
    feed: postgresProjectFeed(database),
    alerts: postgresAlertStore(database),
    incidents: postgresIncidentStore(database),
    alertPreviews: postgresAlertPreviews(database),
    evaluations: postgresAlertEvaluations(database),
    tasks: postgresTaskQueue(database),
    usage: postgresLogUsageStore(database),
    webhooks: postgresWebhookStore(database),
    dispatches: postgresDispatchStore(database),
    dispatchRuns: postgresDispatchRunStore(database),
    webhookEvents: postgresWebhookEvents(database),
    retention: postgresRetention(database),
    managed: postgresManagedRecords(database),
    randomness: nodeRandomness(),
    jsonSchemas,
    // The token of a dry run does not work.
    accessTokens: hmacAccessTokens(database.isDry ? unknownKeys() : database.masterKeys),
  };
}
