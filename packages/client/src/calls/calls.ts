import type { ActivityPage, FamilyActivityEntry, FamilyActivityQuery } from '../wire/activity.ts';
import type {
  ApiKey,
  AuditEntry,
  IssuedApiKey,
  NewApiKey,
  OwnApiKey,
  ProjectFields,
  RegisteredPlugin,
  Registration,
} from '../wire/administration.ts';
import type { DeliveryQuery, DeliverySeries } from '../wire/delivery.ts';
import type {
  Adoption,
  Applied,
  ApplyRequest,
  Document,
  EditedRecord,
  ManagerQuery,
  OwnedQuery,
  OwnedRecord,
  Plan,
  PlanRequest,
  Release,
} from '../wire/declaration.ts';
import type { Job, JobQuery, NewJob } from '../wire/job.ts';
import type { JsonObject } from '../wire/json.ts';
import type {
  LogCounts,
  LogCountsQuery,
  LogEntry,
  LogEntryQuery,
  LogPage,
  LogQuery,
  LogStreamQuery,
} from '../wire/log.ts';
import type { Page, PageQuery } from '../wire/page.ts';
import type { Project, ProjectChange, Usage } from '../wire/project.ts';
import type { ReportedError, ReportedErrorQuery } from '../wire/reported-error.ts';
import type { RestoredConfigRecord, Revision } from '../wire/revision.ts';
import type { Runtime, RuntimeConfiguration, RuntimeQuery, RuntimeReport } from '../wire/runtime.ts';
import type { LogEvent, OrderEvent, RecordEvent, ResetEvent } from '../wire/stream.ts';
import type { ConfigRecord, NewRecord, Positions, RecordChange, RecordQuery } from '../wire/record.ts';

/** What each endpoint takes beside its path, and what it answers. calls.test.ts compares it with the definitions. */
export interface Calls {
  readonly listProjects: { readonly query: PageQuery; readonly answer: Page<Project> };
  readonly retrieveProject: { readonly answer: Project };
  readonly retrieveUsage: { readonly answer: Usage };
  readonly beginSession: { readonly body: { readonly key: string }; readonly answer: undefined };
  readonly retrieveSession: { readonly answer: OwnApiKey };
  readonly endSession: { readonly answer: undefined };
  readonly retrieveOwnKey: { readonly answer: OwnApiKey };
  readonly listKeys: { readonly query: PageQuery; readonly answer: Page<ApiKey> };
  readonly createKey: { readonly body: NewApiKey; readonly answer: IssuedApiKey };
  readonly revokeKey: { readonly answer: undefined };
  readonly createProject: { readonly body: ProjectFields; readonly answer: Project };
  readonly updateProject: { readonly body: ProjectChange; readonly answer: Project };
  readonly listPlugins: { readonly query: PageQuery; readonly answer: Page<RegisteredPlugin> };
  readonly retrievePlugin: { readonly answer: RegisteredPlugin };
  readonly registerPlugin: { readonly body: Registration; readonly answer: RegisteredPlugin };
  readonly removePlugin: { readonly answer: undefined };
  readonly listAudit: { readonly query: PageQuery; readonly answer: Page<AuditEntry> };
  readonly exportConfiguration: { readonly query: ManagerQuery; readonly answer: Document };
  readonly planConfiguration: { readonly body: PlanRequest; readonly answer: Plan };
  readonly applyConfiguration: { readonly body: ApplyRequest; readonly answer: Applied };
  readonly adoptRecords: {
    readonly body: Adoption;
    readonly answer: { readonly results: readonly OwnedRecord[] };
  };
  readonly releaseRecords: {
    readonly body: Release;
    readonly answer: { readonly results: readonly OwnedRecord[] };
  };
  readonly listDrift: {
    readonly query: ManagerQuery;
    readonly answer: { readonly results: readonly EditedRecord[] };
  };
  readonly listOwnedRecords: { readonly query: OwnedQuery; readonly answer: Page<OwnedRecord> };
  readonly listRecords: { readonly query: RecordQuery; readonly answer: Page<ConfigRecord> };
  readonly listErrors: { readonly query: ReportedErrorQuery; readonly answer: Page<ReportedError> };
  readonly listActivity: { readonly query: FamilyActivityQuery; readonly answer: Page<FamilyActivityEntry> };
  readonly createRecord: { readonly body: NewRecord; readonly answer: ConfigRecord };
  readonly rearrangeRecords: {
    readonly body: RecordChange & { readonly orders?: Positions | undefined };
    readonly answer: ConfigRecord | readonly ConfigRecord[];
  };
  readonly retrieveRecord: { readonly answer: ConfigRecord };
  readonly updateRecord: { readonly body: RecordChange; readonly answer: ConfigRecord };
  readonly replaceRecord: { readonly body: NewRecord; readonly answer: ConfigRecord };
  readonly deleteRecord: { readonly answer: undefined };
  readonly setConfiguration: { readonly body: JsonObject; readonly answer: ConfigRecord };
  readonly retrieveActivity: { readonly query: PageQuery; readonly answer: ActivityPage };
  readonly retrieveFrontend: { readonly answer: ConfigRecord };
  readonly queueJob: { readonly body: NewJob; readonly answer: ConfigRecord };
  readonly listRevisions: { readonly query: PageQuery; readonly answer: Page<Revision> };
  readonly retrieveRevision: { readonly answer: Revision };
  readonly restoreRevision: { readonly answer: RestoredConfigRecord };
  readonly retrieveRuntime: { readonly query: RuntimeQuery; readonly answer: RuntimeConfiguration };
  readonly reportRuntime: { readonly body: RuntimeReport; readonly answer: undefined };
  readonly listRuntimes: { readonly query: PageQuery; readonly answer: Page<Runtime> };
  readonly forgetRuntime: { readonly answer: undefined };
  readonly listJobs: { readonly query: JobQuery; readonly answer: Page<Job> };
  readonly retrieveJob: { readonly answer: Job };
  readonly cancelJob: { readonly answer: undefined };
  readonly retrieveDeliveries: { readonly query: DeliveryQuery; readonly answer: DeliverySeries };
  readonly listLogs: { readonly query: LogQuery; readonly answer: LogPage };
  readonly countLogs: { readonly query: LogCountsQuery; readonly answer: LogCounts };
  readonly countProjectLogs: { readonly query: LogCountsQuery; readonly answer: LogCounts };
  readonly retrieveLogEntry: { readonly query: LogEntryQuery; readonly answer: LogEntry };
}

/** What each stream takes beside its path, and the events that it sends. */
export interface Streams {
  readonly streamRecords: { readonly event: RecordEvent | OrderEvent | ResetEvent };
  readonly streamLogs: { readonly query: LogStreamQuery; readonly event: LogEvent | ResetEvent };
}
