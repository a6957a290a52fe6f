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

/** The query, body and response of each endpoint. calls.test.ts compares them with the contract. */
export interface Calls {
  readonly listProjects: { readonly query: PageQuery; readonly response: Page<Project> };
  readonly retrieveProject: { readonly response: Project };
  readonly retrieveUsage: { readonly response: Usage };
  readonly beginSession: { readonly body: { readonly key: string }; readonly response: undefined };
  readonly retrieveSession: { readonly response: OwnApiKey };
  readonly endSession: { readonly response: undefined };
  readonly retrieveOwnKey: { readonly response: OwnApiKey };
  readonly listKeys: { readonly query: PageQuery; readonly response: Page<ApiKey> };
  readonly createKey: { readonly body: NewApiKey; readonly response: IssuedApiKey };
  readonly revokeKey: { readonly response: undefined };
  readonly createProject: { readonly body: ProjectFields; readonly response: Project };
  readonly updateProject: { readonly body: ProjectChange; readonly response: Project };
  readonly listPlugins: { readonly query: PageQuery; readonly response: Page<RegisteredPlugin> };
  readonly retrievePlugin: { readonly response: RegisteredPlugin };
  readonly registerPlugin: { readonly body: Registration; readonly response: RegisteredPlugin };
  readonly removePlugin: { readonly response: undefined };
  readonly listAudit: { readonly query: PageQuery; readonly response: Page<AuditEntry> };
  readonly exportConfiguration: { readonly query: ManagerQuery; readonly response: Document };
  readonly planConfiguration: { readonly body: PlanRequest; readonly response: Plan };
  readonly applyConfiguration: { readonly body: ApplyRequest; readonly response: Applied };
  readonly adoptRecords: {
    readonly body: Adoption;
    readonly response: { readonly results: readonly OwnedRecord[] };
  };
  readonly releaseRecords: {
    readonly body: Release;
    readonly response: { readonly results: readonly OwnedRecord[] };
  };
  readonly listDrift: {
    readonly query: ManagerQuery;
    readonly response: { readonly results: readonly EditedRecord[] };
  };
  readonly listOwnedRecords: { readonly query: OwnedQuery; readonly response: Page<OwnedRecord> };
  readonly listRecords: { readonly query: RecordQuery; readonly response: Page<ConfigRecord> };
  readonly listErrors: { readonly query: ReportedErrorQuery; readonly response: Page<ReportedError> };
  readonly listActivity: {
    readonly query: FamilyActivityQuery;
    readonly response: Page<FamilyActivityEntry>;
  };
  readonly createRecord: { readonly body: NewRecord; readonly response: ConfigRecord };
  readonly rearrangeRecords: {
    readonly body: RecordChange & { readonly orders?: Positions | undefined };
    readonly response: ConfigRecord | readonly ConfigRecord[];
  };
  readonly retrieveRecord: { readonly response: ConfigRecord };
  readonly updateRecord: { readonly body: RecordChange; readonly response: ConfigRecord };
  readonly replaceRecord: { readonly body: NewRecord; readonly response: ConfigRecord };
  readonly deleteRecord: { readonly response: undefined };
  readonly setConfiguration: { readonly body: JsonObject; readonly response: ConfigRecord };
  readonly retrieveActivity: { readonly query: PageQuery; readonly response: ActivityPage };
  readonly retrieveFrontend: { readonly response: ConfigRecord };
  readonly queueJob: { readonly body: NewJob; readonly response: ConfigRecord };
  readonly listRevisions: { readonly query: PageQuery; readonly response: Page<Revision> };
  readonly retrieveRevision: { readonly response: Revision };
  readonly restoreRevision: { readonly response: RestoredConfigRecord };
  readonly retrieveRuntime: { readonly query: RuntimeQuery; readonly response: RuntimeConfiguration };
  readonly reportRuntime: { readonly body: RuntimeReport; readonly response: undefined };
  readonly listRuntimes: { readonly query: PageQuery; readonly response: Page<Runtime> };
  readonly forgetRuntime: { readonly response: undefined };
  readonly listJobs: { readonly query: JobQuery; readonly response: Page<Job> };
  readonly retrieveJob: { readonly response: Job };
  readonly cancelJob: { readonly response: undefined };
  readonly retrieveDeliveries: { readonly query: DeliveryQuery; readonly response: DeliverySeries };
  readonly listLogs: { readonly query: LogQuery; readonly response: LogPage };
  readonly countLogs: { readonly query: LogCountsQuery; readonly response: LogCounts };
  readonly countProjectLogs: { readonly query: LogCountsQuery; readonly response: LogCounts };
  readonly retrieveLogEntry: { readonly query: LogEntryQuery; readonly response: LogEntry };
}

/** The query and the events of each stream. */
export interface Streams {
  readonly streamRecords: { readonly event: RecordEvent | OrderEvent | ResetEvent };
  readonly streamLogs: { readonly query: LogStreamQuery; readonly event: LogEvent | ResetEvent };
}
