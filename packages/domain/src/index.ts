export * from './vocabulary/vocabulary.ts';
export {
  DomainError,
  isTransient,
  TIMEOUT_MS,
  notFound,
  timedOut,
  TOO_BUSY,
  tooManyChanges,
  type DomainErrorCode,
} from './kernel/domain-error.ts';
export { type BucketRange } from './kernel/bucket-range.ts';
export type { DropOld, Retention } from './kernel/retention.ts';
export { SKEW_MAX_MS, skewProblem, type Clock, type ClockReading } from './kernel/clock.ts';
export { compareMigrations, type SchemaState } from './kernel/compare-migrations.ts';
export type { Randomness } from './kernel/randomness.ts';
export type { WakeUps } from './kernel/wake-ups.ts';
export { itemsThatFit, PAGE_MAX_BYTES, type Page, type PageRequest } from './kernel/page.ts';
export { InexactNumber, parseExactly } from './kernel/exact-json.ts';
export { checkNumbers, type Json, type JsonObject } from './kernel/json.ts';
export { codePoints, isStorable, utf8Length } from './kernel/text.ts';

export {
  grantsScope,
  isLive,
  isToken,
  ACCOUNT_KEYS_MAX,
  type ApiKey,
  type KeyGrant,
  type Token,
} from './access/api-key.ts';
export type { AccessResult, AccessProbe, AccessQuery, ProjectRef } from './access/access-probe.ts';
export {
  authorise,
  checkGranted,
  invalidCredential,
  projectNotFound,
  type AccessNeed,
} from './access/authorise.ts';
export {
  KEY_PAGE_MAX_PROJECTS,
  type ApiKeyStore,
  type NewApiKey,
  type TokenHasher,
} from './access/api-key-store.ts';
export { issueApiKey, keyLabel, type KeyIssue } from './access/issue-api-key.ts';
export { canIssue, powersOf, type Powers } from './access/powers.ts';
export {
  beginSession,
  endOf,
  latestEndOf,
  renewed,
  sessionEnded,
  unusableKey,
  type Session,
  type SessionCipher,
} from './access/session.ts';
export { isFromOwnPage, ownOriginOf, type OwnOrigin } from './access/is-from-own-page.ts';

export type { AuditEntry, AuditLog, AuditSubject } from './audit/audit-log.ts';

export {
  readOverview,
  type EqualRuntimes,
  type FamilyState,
  type Outcomes,
  type Overview,
  type ProjectSummaries,
  type RecentChange,
} from './overview/read-overview.ts';

export { projectName, type Project, type ProjectChange, type ProjectStore } from './project/project.ts';
export {
  eraseProject,
  wrongConfirmation,
  type Eraser,
  type Erasure,
  type ErasureStore,
} from './project/erasure.ts';

export type { ConfigField } from './configuration/config-field.ts';
export {
  mergeSecretNames,
  NOT_REGISTERED,
  pluginInfo,
  type Plugin,
  type Registration,
} from './plugin/plugin.ts';
export type { AttachedFilter, AttachedRecord, PluginStore, RecordCounts } from './plugin/plugin-store.ts';
export { isValidConfiguration } from './configuration/replace-configuration.ts';
export { registerPlugin } from './plugin/register-plugin.ts';

export {
  perFamily,
  familyNumber,
  cacheVersionOf,
  type CacheVersionParts,
  type FamilyRef,
  type RecordRef,
} from './project/family.ts';
export {
  checkPrecondition,
  recordBytes,
  type ConfigRecord,
  type Precondition,
  type RecordChange,
  type RecordDraft,
} from './record/config-record.ts';
export { byPosition, moveTo, nextOrder, noNextOrder, type RecordPosition } from './record/ordering.ts';
export type {
  AtVersion,
  ChangedFilter,
  ChangedPage,
  ConfigRecordStore,
  CreateOptions,
  FoundRecord,
  ManagedBy,
  LockedFamily,
  LiveRecord,
  RecordFilter,
  RecordPage,
  RecordWrite,
} from './record/config-record-store.ts';
export { SMALL_CHANGE_BYTES } from './record/config-record-store.ts';
export {
  CONFIG_FIELD,
  defaultsOf,
  MASK,
  NO_VALUES,
  readValues,
  showConfiguration,
  withDefaults,
  writeValues,
  type Configured,
  type SecretNames,
  type Values,
} from './configuration/configuration.ts';
export type { ConfigurationValues, RecordWithValues } from './record/configured-record.ts';
export {
  ALL_RECORDS,
  cursorAt,
  familyCursorText,
  hasReached,
  parseFamilyCursor,
  positionAfterPage,
  type FamilyCursor,
} from './record/family-cursor.ts';
export { createRecord, createRecordOnce } from './record/create-record.ts';
export { deleteRecord, replaceRecord, unregistered, updateRecord } from './record/update-record.ts';
export { patchConfiguration, setConfiguration } from './record/set-configuration.ts';
export type { RestoredRecord, Revision, RevisionStore } from './revision/revision-store.ts';
export { restoreRevision, restoreRevisionOnce } from './revision/restore-revision.ts';
export { CHUNK_MAX_BYTES, readAtPositions } from './record/read-at-positions.ts';
export { rearrangeRecord, setOrders } from './record/rearrange-record.ts';
export type { ConfiguredRecord } from './record/configured-record.ts';
export { frontendView } from './record/frontend-view.ts';

export { type ActivityEntry, type FieldChange, type NewActivity } from './activity/activity-entry.ts';
export { OPERATOR, type Actor, type Author } from './kernel/author.ts';
export { CHANGES_MAX_BYTES } from './activity/bound-changes.ts';
export type { ActivityFilter, ActivityLog } from './activity/activity-log.ts';
export { describeCreation, describeMove, maskChanges, notBefore } from './record/describe-change.ts';

export { UNFINISHED_JOBS_MAX, tooManyJobs, type Job, type ListedJob } from './job/job.ts';
export type { QueuedJob, JobStore, KeyedJob } from './job/job-store.ts';
export { cancelJob, describeCancellation, isCancellable } from './job/cancel-job.ts';
export { queueJob, queueJobOnce } from './job/queue-job.ts';
export type { LockedJob, JobRunStore, RunningJob, Settlement } from './job/job-run-store.ts';
export { runJob } from './job/run-job.ts';

export {
  checkIdempotencyKey,
  IDEMPOTENCY_HEADER,
  KEPT_MAX_PER_KEY,
  KEPT_MS,
  KEPT_OVERHEAD_BYTES,
  requireSameBody,
  tooManyKeptResponses,
  type IdempotencyKey,
  type Once,
} from './idempotency/idempotency-key.ts';

export { type EntryKey, type LogEntry, type LogRef } from './log/log-entry.ts';
export { KEYS_MAX, type AppendOutcomes, type LogEntryStore, type LogFilter } from './log/log-entry-store.ts';
export type { DueDay, EndedDays, EntriesSummary, StoredSummary } from './log/ended-days.ts';
export { archiveDay, logKeyName, type CopiedDay, type DayCount, type LogArchive } from './log/log-archive.ts';

export { deliveryRate } from './delivery/delivery-rate.ts';
export {
  deliveryWindow,
  SPAN_MS,
  spanOf,
  nextWindowChange,
  latestWindowChange,
  type DeliveryWindow,
} from './delivery/delivery-window.ts';
export type { DeliveryRates } from './delivery/delivery-rate.ts';
export { type DeliveryBucket, type DeliverySeries, type RecordBucket } from './delivery/delivery-series.ts';
export { readDeliveries } from './delivery/read-deliveries.ts';
export { readRecentDeliveries } from './delivery/read-recent-deliveries.ts';
export type { ReportedError, ReportedErrors } from './delivery/reported-errors.ts';

export { findEntry, pageAround } from './log/find-entry.ts';
export {
  readLogCounts,
  readProjectLogCounts,
  type LogCount,
  type LogCounts,
  type LogRange,
} from './log/log-counts.ts';
export { isEveryEntry, lowerCase } from './log/matches-filter.ts';
export {
  SEQUENCE_KEPT_MS,
  SEQUENCE_READ_MAX,
  FOLLOWED_MS,
  type SequencedEntry,
  type LogSequence,
  type LogSequenceWriter,
  type LogPosition,
} from './following/log-sequence.ts';
export { logStream, startLogStream, type LogStreamRequest } from './following/log-stream.ts';
export { logFeeds, type LogStep } from './following/log-feeds.ts';
export type { ChangedRecord, FamilyChanges } from './following/family-changes.ts';
export { familyFeeds, type FamilyFeeds, type FamilyStep } from './following/family-feeds.ts';
export { familyStream } from './following/family-stream.ts';
export { DAY_MS, isoDay, RETENTION_DAYS_MAX, startOfDay } from './log/log-days.ts';
export type { LogUpkeep, MovedDay } from './log/log-upkeep.ts';

export { DEAD_REASONS, deadDetail, type DeadReason } from './message/dead-reason.ts';
export {
  MESSAGE_TEXT_MAX,
  type DeadMessage,
  type DeliveryMessage,
  type EntryMessage,
  type ErrorMessage,
  type Message,
  type MessageOrigin,
  type SourceMessage,
} from './message/message.ts';
export {
  messageContext,
  type MessageContext,
  type MessageContextDependencies,
} from './message/message-context.ts';
export { ownerOfKey, type MessageOwner } from './message/message-owner.ts';
export { isObject } from './message/read-fields.ts';
export { readMessage } from './message/read-message.ts';
export {
  OTLP_ATTRIBUTES,
  OtlpBytes,
  otlpEntry,
  otlpMessage,
  otlpTime,
  type OtlpAttributes,
  type OtlpLogRecord,
  type OtlpOrigin,
  type OtlpValue,
} from './message/otlp-entry.ts';
export { isLaterError, sourceTime } from './message/error-order.ts';
export { storableText } from './log/storable-text.ts';
export type { BatchStores, IngestionStores, Owner, Reports } from './ingestion/ingestion-stores.ts';
export type { LogSource, SourceBatch } from './ingestion/log-source.ts';
export { ingest } from './ingestion/ingest.ts';
export {
  ingestReport,
  isDead,
  ReturnedEntry,
  type IngestReport,
  type Outcome,
} from './ingestion/ingest-report.ts';
export {
  fits,
  isLimited,
  largerThanQuota,
  NO_QUOTA,
  overQuota,
  quotaOf,
  sumOf,
  type LogAmount,
  type LogQuota,
} from './usage/log-quota.ts';
export {
  readUsage,
  USAGE_DAYS,
  type DayOfUsage,
  type LogUsageStore,
  type LogUsageWriter,
} from './usage/log-usage.ts';
export { newDeadLetter, type DeadLetter, type NewDeadLetter } from './dead-letter/dead-letter.ts';
export {
  SHOWN_TEXT_MAX,
  type DeadLetterBound,
  type DeadLetterBounds,
  type DeadLetterStore,
  type DeadLetterWriter,
  type Trimmed,
  type ShownDeadLetter,
} from './dead-letter/dead-letter-store.ts';
export { DEAD_LETTERS_PER_PROJECT, trimDeadLetters } from './dead-letter/trim-dead-letters.ts';
export { retryDeadLetters, type RetryOutcome } from './ingestion/retry-dead-letters.ts';

export type { Base } from './declaration/base.ts';
export { checkDeclaration, type Declaration, type DeclaredRecord } from './declaration/declaration.ts';
export {
  MANAGED_LIVE_MAX,
  MANAGED_MAX_BYTES,
  tooLargeToManage,
  type EditedRecord,
  type LockedProject,
  type ManagedRecords,
  type ManagedScope,
  type ManagedState,
  type OwnedChange,
  type RecordOwner,
  type OwnedRecord,
} from './declaration/managed-records.ts';
export type { Applied, Ownership, PlanReport } from './declaration/plan.ts';
export { adoptRecords } from './declaration/adopt-records.ts';
export {
  exportDeclaration,
  exportManaged,
  type ExportedDeclaration,
  type ExportInput,
} from './declaration/export-declaration.ts';
export { makePlan, planDeclaration, type Plan, type PlanInput } from './declaration/plan-declaration.ts';
export { applyDeclaration, type ApplyOutcome } from './declaration/apply-declaration.ts';

export {
  boundReport,
  isOnline,
  REPORT_REST_MS,
  RUNTIME_KEPT_MS,
  RUNTIMES_MAX,
  tooManyRuntimes,
  type FailedRecord,
  type ReceivedReport,
  type RuntimeInstance,
  type RuntimeReport,
  type RuntimeStore,
} from './runtime/runtime-instance.ts';
export {
  contentTooLarge,
  RUNTIME_LIMITS,
  type RuntimeConfigurations,
  type RuntimeLimits,
  type RuntimeRecord,
  type RuntimeVersion,
} from './runtime/runtime-configurations.ts';
export { runtimeVersions, type RuntimeVersions } from './runtime/runtime-versions.ts';

export {
  ALERTS_MAX,
  changeRule,
  checkRule,
  isBroken,
  isSameRule,
  nameTaken,
  noSuchRecord,
  startsOver,
  tooManyAlerts,
  windowStart,
  type Alert,
  type AlertRule,
  isOfFamily,
} from './alert/alert.ts';
export { CALM, type AlertState } from './alert/alert-state.ts';
export { incidentClosed, incidentOpened } from './alert/incident-event.ts';
export { disableRecord } from './alert/disable-record.ts';
export type { AlertStore } from './alert/alert-store.ts';
export {
  INCIDENTS_KEPT_DAYS,
  INCIDENTS_KEPT_MAX,
  OPEN_INCIDENTS_MAX,
  type Incident,
  type IncidentFilter,
  type IncidentStore,
} from './alert/incident.ts';
export { failingRuntimes, type RuntimeHealth } from './alert/runtime-health.ts';
export {
  evaluateAlerts,
  type AlertEvaluation,
  type AlertEvaluations,
  type EvaluatedRecord,
  type Transition,
} from './alert/evaluate-alerts.ts';
export {
  PREVIEW_RECORDS_MAX,
  PREVIEW_STEP_MS,
  previewAlert,
  type AlertPreview,
  type AlertPreviews,
  type PreviewLimits,
  type RecordHistory,
  hasHistory,
} from './alert/preview-alert.ts';

export { changeWebhook, checkWebhook, literalAddress, type AddressRules } from './webhook/check-webhook.ts';
export {
  OLD_SECRET_MS,
  tooManyWebhooks,
  urlTaken,
  WEBHOOKS_MAX,
  type SignedWebhook,
  type Webhook,
  type WebhookSettings,
  type WebhookStore,
} from './webhook/webhook.ts';
export {
  DISPATCHES_KEPT_DAYS,
  DISPATCHES_MAX,
  RESPONSE_MAX,
  RETRIED_MS,
  tooManyWaiting,
  webhookDisabled,
  type AttemptOutcome,
  type Dispatch,
  type DispatchStore,
} from './webhook/dispatch.ts';
export { attemptDispatch } from './webhook/attempt-dispatch.ts';
export { payloadOf, quotaEvent, type QueuedEvent } from './webhook/queued-event.ts';
export type {
  DispatchRunStore,
  DispatchSettlement,
  RunningDispatch,
  WebhookEvents,
} from './webhook/dispatch-run-store.ts';
export {
  SEND_TIMEOUT_MS,
  type WebhookMessage,
  type WebhookSender,
  type WebhookTarget,
} from './webhook/webhook-sender.ts';

export { EVERY_TASK_KIND, TASK_KINDS, type TaskKind, type TaskRules } from './task/task-kind.ts';
export {
  tenantOf,
  type NewTask,
  type NextTurn,
  type Task,
  type TaskBacklog,
  type TaskClaim,
  type TaskQueue,
} from './task/task-queue.ts';
