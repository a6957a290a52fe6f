export { validate, type Validation } from './validate.ts';
export { WIRE_ERROR_CODES, WireError, type WireErrorCode } from './wire-error.ts';
export { documentErrorBody, ERROR_CODES, ERROR_TYPES, errorBody, type WireErrorBody } from './error-body.ts';
export type { Json, JsonObject } from './json.ts';

export { parsePathIds, INSTANCE_NAME, type PathParams } from './path-params.ts';
export { pageQuery, type PageQuery } from './page.ts';
export { dryRunParameters, hasDryRun, readDryRun, rejectDryRun } from './dry-run.ts';

export {
  configRecord,
  configRecordPage,
  type WireConfigRecord,
  type WireConfigRecordPage,
} from './config-record.ts';
export { recordListQuery, type RecordListQuery } from './record-list-query.ts';
export {
  configurationBody,
  createBody,
  replaceBody,
  updateBody,
  type ConfigurationBody,
  type CreateBody,
  type UpdateBody,
} from './record-bodies.ts';
export { rearrangeResponse, rearrangeBody, type RearrangeBody } from './rearrange.ts';
export {
  activityEntry,
  activityQuery,
  activityView,
  type WireActivityEntry,
  type WireActor,
  type WireActivityView,
  type WireFamilyActivityEntry,
  type WireFamilyActivityPage,
} from './activity.ts';
export type { WireReportedErrorPage } from './reported-error.ts';
export type { WireDeliveryBucket, WireDeliverySeries } from './delivery.ts';
export type { WireLogCounts } from './log-counts.ts';
export {
  restoredRecord,
  revision,
  revisionPage,
  type WireRestoredRecord,
  type WireRevision,
  type WireRevisionPage,
} from './revision.ts';
export {
  runtimeReportBody,
  type WireRuntime,
  type WireRuntimeConfiguration,
  type WireRuntimePage,
} from './runtime.ts';
export { job, jobBody, jobPage, type JobBody, type WireJob, type WireJobPage } from './job.ts';

export { logEntry, logEntryPage, type WireLogEntry, type WireLogEntryPage } from './log-entry.ts';
export { logListQuery, type LogListQuery } from './log-list-query.ts';
export {
  deliveryMessage,
  errorMessage,
  ingestReport,
  logEntryMessage,
  type WireIngestReport,
} from './ingestion.ts';

export {
  project,
  projectBody,
  projectChange,
  projectPage,
  type WireProject,
  type WireProjectPage,
} from './project.ts';
export type { WireUsage } from './usage.ts';
export type { WireApiKey, WireApiKeyPage, WireNewApiKey, WireOwnApiKey } from './api-key.ts';
export type { WireAuditEntry, WireAuditPage } from './audit.ts';
export type { WireRegisteredPlugin, WireRegisteredPluginPage } from './registered-plugin.ts';
export { apiKeyBody } from './api-key.ts';
export { sessionBody } from './session.ts';
export { pluginBody, pluginFile, type PluginFile } from './plugin-file.ts';
export type { WireApplied, WireDocument, WirePlan } from './declaration.ts';
export type { WireDrift, WireEditedRecord, WireOwnedRecordPage, WireOwnedRecords } from './ownership.ts';
export { applyBody, planBody } from './declaration.ts';
export { adoptBody, releaseBody } from './ownership.ts';
export { health, type WireHealth } from './health.ts';

export {
  COMMON_EVENTS,
  END_REASONS,
  lastEventId,
  streamHeaders,
  streamParameters,
  type WireEnd,
  type WireRecordEvent,
  type WireReset,
} from './stream.ts';
export {
  type ResponseDefinition,
  type BodyDefinition,
  type Endpoint,
  type EventOf,
  type InputOf,
} from './endpoint.ts';
export { WIRE_FAMILIES, type WireFamily } from './family.ts';
export {
  challenge,
  commonHeaders,
  etag,
  idempotencyKey,
  ifMatch,
  ifNoneMatch,
  location,
  replayed,
  retryAfter,
} from './headers.ts';
export { sessionEndpoints } from './endpoints/session-endpoints.ts';
export { administrationEndpoints } from './endpoints/administration-endpoints.ts';
export { projectEndpoints } from './endpoints/project-endpoints.ts';
export { declarationEndpoints } from './endpoints/declaration-endpoints.ts';
export { recordEndpoints } from './endpoints/record-endpoints.ts';
export { revisionEndpoints } from './endpoints/revision-endpoints.ts';
export { runtimeEndpoints } from './endpoints/runtime-endpoints.ts';
export { subresourceEndpoints } from './endpoints/subresource-endpoints.ts';
export { streamEndpoints } from './endpoints/stream-endpoints.ts';
