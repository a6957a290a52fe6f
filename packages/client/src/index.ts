export {
  pluginConfigClient,
  type ClientOptions,
  type PluginConfigClient,
  type ProjectClient,
} from './client.ts';
export type { Administration, ApiKeys, Plugins } from './administration.ts';
export type { ProjectConfiguration } from './configuration.ts';
export type { PageSession } from './session.ts';
export { type ConfigRecords, type PluginConfigs, type QueuedJob } from './records/config-records.ts';
export type { ChangeOf } from './records/update-until-current.ts';
export { type Listing } from './calls/listing.ts';
export type {
  ChangeOptions,
  IdempotencyOptions,
  ReadOptions,
  RequestOptions,
  WriteOptions,
} from './calls/call.ts';
export { familyVersionOf, headersOf, tagOf } from './calls/tags.ts';
export { PluginConfigError, type ClientErrorCode } from './http/error.ts';
export type { RetryPolicy } from './http/retry.ts';
export type { StreamOptions } from './streams/event-stream.ts';
export { logSender, type LogSender, type LogSenderOptions, type SendOptions } from './sender/log-sender.ts';
export type { Logger, LoggerFields } from './sender/logger.ts';
export type { Message } from './sender/line.ts';

export type {
  Activity,
  ActivityEntry,
  ActivityPage,
  FamilyActivityEntry,
  FamilyActivityQuery,
} from './wire/activity.ts';
export type {
  ApiKey,
  AuditEntry,
  IssuedApiKey,
  NewApiKey,
  OwnApiKey,
  PluginField,
  ProjectFields,
  RegisteredPlugin,
  Registration,
  Scope,
} from './wire/administration.ts';
export type { DeliveryBucket, DeliveryQuery } from './wire/delivery.ts';
export type {
  Adoption,
  Applied,
  ApplyRequest,
  DeclaredRecord,
  Document,
  EditedRecord,
  OwnedQuery,
  OwnedRecord,
  Plan,
  PlanAction,
  PlannedChange,
  PlannedField,
  PlanRequest,
  PlanSummary,
  PlanWarning,
  Release,
} from './wire/declaration.ts';
export type { ErrorCode, ErrorType, OneError } from './wire/error.ts';
export type { Job, JobQuery, JobState, NewJob, Task } from './wire/job.ts';
export type { Json, JsonObject } from './wire/json.ts';
export type {
  KnownLogType,
  LogCount,
  LogCountsQuery,
  LogEntry,
  LogEntryQuery,
  LogFilter,
  LogPage,
  LogQuery,
  LogStreamQuery,
} from './wire/log.ts';
export type { DeliveryMessage, ErrorMessage, IngestReport, LogMessage } from './wire/message.ts';
export type { LogEvent, OrderEvent, RecordEvent, ResetEvent, StreamEvent } from './wire/stream.ts';
export type { RestoredConfigRecord, Revision } from './wire/revision.ts';
export type { Page, PageQuery } from './wire/page.ts';
export type { LogQuota, Project, ProjectChange, Usage } from './wire/project.ts';
export type {
  FailedRecord,
  Runtime,
  RuntimeConfiguration,
  RuntimeQuery,
  RuntimeRecord,
  RuntimeReport,
} from './wire/runtime.ts';
export type { ReportedError, ReportedErrorQuery } from './wire/reported-error.ts';
export type { ConfigRecord, Move, NewRecord, Positions, RecordChange, RecordQuery } from './wire/record.ts';
