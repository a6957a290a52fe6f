import type * as contract from '@plugin-config/contract';
import type { Query, Received, Sent } from '@plugin-config/contract';

// The types of the API, derived from the contract. For the published package, write-types.ts writes them out in full.

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/** A page of a list. A listing follows `next` automatically. */
export interface Page<T> {
  /** The total number of results, on all pages. */
  readonly count: number;
  readonly next: string | null;
  readonly previous: string | null;
  readonly results: readonly T[];
}

export type PageQuery = Query<typeof contract.pageQuery>;

export type Family = Received<typeof contract.familyName>;
export type ConfigRecord = Received<typeof contract.configRecord>;
export type RecordQuery = Query<typeof contract.recordListQuery>;
export type NewRecord = Sent<typeof contract.createBody>;
export type RecordChange = Sent<typeof contract.updateBody>;
/** Moves a record to `order`. If several records attach `plugin`, the other fields identify the record. */
export type Move = NewRecord & { readonly order: number };
/** New positions by record id. */
export type Positions = Readonly<Record<string, number>>;

export type ActivityEntry = Received<typeof contract.activityEntry>;
export type Activity = Received<typeof contract.activity>;
export type ActivityPage = Received<typeof contract.activityView>;
export type FamilyActivityEntry = Received<typeof contract.familyActivityEntry>;
export type FamilyActivityQuery = Query<typeof contract.familyActivityQuery>;
export type Revision = Received<typeof contract.revision>;
export type RestoredConfigRecord = Received<typeof contract.restoredRecord>;
export type ReportedError = Received<typeof contract.reportedError>;
export type ReportedErrorQuery = Query<typeof contract.reportedErrorQuery>;
/** An error, an incident or a runtime of any project. */
export type ProjectError = Received<typeof contract.projectError>;
export type ProjectErrorQuery = Query<typeof contract.projectErrorQuery>;
export type ProjectIncident = Received<typeof contract.projectIncident>;
export type ProjectRuntime = Received<typeof contract.projectRuntime>;
export type ProjectRuntimeQuery = Query<typeof contract.projectRuntimeQuery>;
export type DeliveryBucket = Received<typeof contract.deliveryBucket>;
export type DeliveryQuery = Query<typeof contract.deliveryQuery>;
export type RecentDeliveries = Received<typeof contract.recentDeliveries>;

export type Job = Received<typeof contract.job>;
export type JobWithOutput = Received<typeof contract.jobWithOutput>;
export type JobState = Job['state'];
export type JobQuery = Query<typeof contract.jobListQuery>;
export type JobResultQuery = Query<typeof contract.jobQuery>;
export type NewJob = Sent<typeof contract.jobBody>;
export type Task = NonNullable<NewJob['job']>;
export type Check = Received<typeof contract.check>;
export type CheckQuery = Query<typeof contract.checkQuery>;
export type NewCheck = Sent<typeof contract.checkBody>;
export type JobClaim = Sent<typeof contract.claimBody>;
export type ClaimedJobs = Received<typeof contract.claimedJobs>;
export type ClaimedJob = ClaimedJobs['jobs'][number];
export type JobRenewal = Sent<typeof contract.renewBody>;
export type RenewedJob = Received<typeof contract.renewedJob>;
export type JobResult = Sent<typeof contract.resultBody>;

export type LogEntry = Received<typeof contract.logEntry>;
export type LogPage = Received<typeof contract.logEntryPage>;
export type LogQuery = Query<typeof contract.logListQuery>;
export type LogEntryQuery = Query<typeof contract.logEntryQuery>;
export type LogFilter = Query<typeof contract.logFilter>;
export type LogStreamQuery = Omit<Query<typeof contract.logStreamQuery>, 'last_event_id'>;
export type LogCount = Received<typeof contract.logCount>;
export type LogCountsQuery = Query<typeof contract.logCountsQuery>;
export type KnownLogType = Exclude<keyof LogCount['types'], 'other'>;

/** An event of a stream. Its id is a cursor with which another stream can resume after this event. */
export interface StreamEvent<Name extends string = string, Data = unknown> {
  readonly event: Name;
  readonly id: string;
  readonly data: Data;
}
/** The stream could not resume at its cursor, so events may be missing. Read everything again; the stream continues. */
export type ResetEvent = StreamEvent<'reset', Received<typeof contract.streamReset>>;
/** An entry was stored in the log. */
export type LogEvent = StreamEvent<'log', LogEntry>;
/** A record may have changed. */
export type RecordEvent = StreamEvent<'record', Received<typeof contract.recordEvent>>;
/** The records of the family were rearranged. */
export type OrderEvent = StreamEvent<'order', Readonly<Record<string, never>>>;

export type LogMessage = Sent<typeof contract.logEntryMessage>;
export type DeliveryMessage = Sent<typeof contract.deliveryMessage>;
export type ErrorMessage = Sent<typeof contract.errorMessage>;
export type IngestReport = Received<typeof contract.ingestReport>;

export type Document = Received<typeof contract.document>;
export type DeclaredRecord = NonNullable<Document['plugin_configs']>[number];
export type PlanRequest = Sent<typeof contract.planBody>;
export type Plan = Received<typeof contract.plan>;
export type PlanSummary = Plan['summary'];
export type PlanAction = keyof PlanSummary;
export type PlannedChange = Received<typeof contract.plannedChange>;
export type PlannedField = PlannedChange['fields'][number];
export type ApplyRequest = Sent<typeof contract.applyBody>;
export type Applied = Received<typeof contract.applied>;
export type OwnedRecord = Received<typeof contract.ownedRecord>;
export type OwnedQuery = Query<typeof contract.ownedListQuery>;
export type EditedRecord = Received<typeof contract.editedRecord>;
export type Adoption = Sent<typeof contract.adoptBody>;

export type Runtime = Received<typeof contract.runtime>;
export type RuntimeQuery = Query<typeof contract.runtimeQuery>;
export type RuntimeConfiguration = Received<typeof contract.runtimeConfiguration>;
export type RuntimeRecord = RuntimeConfiguration['results'][number];
export type RuntimeReport = Sent<typeof contract.runtimeReportBody>;
export type FailedRecord = Runtime['failed'][number];
export type RuntimeFeed = Received<typeof contract.runtimeFeed>;
export type RuntimeProjects = Received<typeof contract.runtimeProjects>;
export type WrittenBack = Received<typeof contract.writtenBack>;
export type HostReport = Sent<typeof contract.hostReportBody>;
export type FailedProjectRecord = NonNullable<HostReport['failed']>[number];

export type Alert = Received<typeof contract.alert>;
export type AlertSignal = Alert['signal'];
export type NewAlert = Sent<typeof contract.alertBody>;
export type AlertChange = Sent<typeof contract.alertChange>;
export type PreviewedAlert = Sent<typeof contract.alertPreviewBody>;
export type AlertPreview = Received<typeof contract.alertPreview>;
export type Incident = Received<typeof contract.incident>;
export type IncidentQuery = Query<typeof contract.incidentQuery>;

export type Webhook = Received<typeof contract.webhook>;
export type WebhookEvent = Webhook['events'][number];
export type WebhookWithSecret = Received<typeof contract.webhookWithSecret>;
export type NewWebhook = Sent<typeof contract.webhookBody>;
export type WebhookChange = Sent<typeof contract.webhookChange>;
export type WebhookDelivery = Received<typeof contract.webhookDelivery>;
/** The body that a webhook receives. */
export type WebhookPayload = Received<typeof contract.webhookPayload>;

export type OwnApiKey = Received<typeof contract.ownKey>;
export type Scope = Received<typeof contract.scope>;
export type ApiKey = Received<typeof contract.apiKey>;
export type IssuedApiKey = Received<typeof contract.newApiKey>;
export type Trust = Received<typeof contract.trust>;
export type NewTrust = Sent<typeof contract.trustBody>;
export type TrustChange = Sent<typeof contract.trustChange>;
export type NewAccessToken = Sent<typeof contract.accessTokenBody>;
export type IssuedAccessToken = Received<typeof contract.accessToken>;
export type NewApiKey = Sent<typeof contract.apiKeyBody>;
export type Project = Received<typeof contract.project>;
export type ProjectFields = Sent<typeof contract.projectBody>;
export type ProjectChange = Sent<typeof contract.projectChange>;
export type Overview = Received<typeof contract.overview>;
export type RecordOverview = Received<typeof contract.recordOverview>;
export type Erasure = Received<typeof contract.erasure>;
export type Usage = Received<typeof contract.usage>;
export type DeadLetter = Received<typeof contract.deadLetter>;
export type LogQuota = Usage['quota'];
export type RegisteredPlugin = Received<typeof contract.registeredPlugin>;
export type PluginField = NonNullable<RegisteredPlugin['config_schema']>[number];
export type RegistrationResult = Received<typeof contract.registrationResult>;
export type PluginVersion = Received<typeof contract.pluginVersion>;
export type ListedPluginVersion = Received<typeof contract.listedVersion>;
export type UpgradePlan = Received<typeof contract.upgradePlan>;
export type PluginUpgrade = Received<typeof contract.pluginUpgrade>;
export type NewPluginVersion = Sent<typeof contract.versionBody>;
export type PluginVersionChange = Sent<typeof contract.versionChange>;
export type AttachedRecord = Received<typeof contract.attachedRecord>;
export type AttachedRecordsQuery = Query<typeof contract.attachedRecordsQuery>;
export type Registration = Sent<typeof contract.pluginBody>;
export type AuditEntry = Received<typeof contract.auditEntry>;

export type ErrorBody = Received<typeof contract.documentErrorBody>;
export type ErrorType = ErrorBody['type'];
export type ErrorCode = Received<typeof contract.documentErrorCode>;
export type OneError = NonNullable<ErrorBody['errors']>[number];
