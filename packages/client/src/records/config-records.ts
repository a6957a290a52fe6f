import type {
  Api,
  ChangeOptions,
  IdempotencyOptions,
  ReadOptions,
  RequestOptions,
  WriteOptions,
} from '../calls/call.ts';
import { listing, type Listing } from '../calls/listing.ts';
import { headersOf } from '../calls/tags.ts';
import type {
  ActivityEntry,
  ActivityPage,
  ConfigRecord,
  DeliveryBucket,
  DeliveryQuery,
  Family,
  FamilyActivityEntry,
  FamilyActivityQuery,
  Job,
  JobQuery,
  JsonObject,
  LogCount,
  LogCountsQuery,
  LogEntry,
  LogEntryQuery,
  LogEvent,
  LogPage,
  LogQuery,
  LogStreamQuery,
  Move,
  NewJob,
  NewRecord,
  OrderEvent,
  PageQuery,
  Positions,
  RecentDeliveries,
  RecordChange,
  RecordEvent,
  RecordQuery,
  ReportedError,
  ReportedErrorQuery,
  ResetEvent,
  RestoredConfigRecord,
  Revision,
  Runtime,
  RuntimeConfiguration,
  RuntimeQuery,
  RuntimeReport,
} from '../wire.ts';
import type { StreamOptions } from '../streams/event-stream.ts';
import { updateUntilCurrent, type ChangeOf } from './update-until-current.ts';

const ALL = '/api/projects/:project_id/:family';
const ONE = `${ALL}/:id` as const;
const LOG = `${ALL}/:plugin_config_id/logs` as const;

/** The records of one family in a project. */
export interface ConfigRecords {
  /** Lists the records in order. */
  list(query?: RecordQuery, options?: RequestOptions): Listing<ConfigRecord>;
  /** Streams events: a record may have changed, or the records were rearranged. */
  stream(options?: StreamOptions): AsyncIterable<RecordEvent | OrderEvent | ResetEvent>;
  create(record: NewRecord, options?: IdempotencyOptions): Promise<ConfigRecord>;
  /** Retrieves a record, even if it is deleted. */
  retrieve(id: number, options?: ReadOptions<ConfigRecord>): Promise<ConfigRecord>;
  /** Changes only the given fields. */
  update(id: number, change: RecordChange, options?: WriteOptions): Promise<ConfigRecord>;
  /** Reads the record and writes the change that the function returns. Starts over if another writer got there first. */
  update(id: number, change: ChangeOf, options?: Omit<ChangeOptions, 'requestId'>): Promise<ConfigRecord>;
  /** Sets every writable field. Absent fields are reset to their defaults, except `order`, which is kept. */
  replace(id: number, record: NewRecord, options?: WriteOptions): Promise<ConfigRecord>;
  /** Marks the record as deleted and disables it. `update(id, { deleted: false })` restores it. */
  delete(id: number, options?: WriteOptions): Promise<void>;
  /** Replaces the configuration. A secret that is missing or masked keeps its value. */
  setConfiguration(id: number, configuration: JsonObject, options?: WriteOptions): Promise<ConfigRecord>;
  /** Changes entries of the configuration. Null removes an entry. */
  patchConfiguration(id: number, entries: JsonObject, options?: WriteOptions): Promise<ConfigRecord>;
  /** Moves one record. The others keep their relative order. `ifMatch` takes a page of the list. */
  rearrange(move: Move, options?: WriteOptions): Promise<ConfigRecord>;
  /** Sets the positions of several records. Returns all records in their new order. */
  setPositions(positions: Positions, options?: WriteOptions): Promise<readonly ConfigRecord[]>;
  /** Lists the changes to a record, newest first. Each page also has the fields of the record. */
  activity(id: number, query?: PageQuery, options?: RequestOptions): Listing<ActivityEntry, ActivityPage>;
  /** Lists the changes to all records, newest first. */
  familyActivity(query?: FamilyActivityQuery, options?: RequestOptions): Listing<FamilyActivityEntry>;
  /** Lists the current errors of the records, most recent first. */
  errors(query?: ReportedErrorQuery, options?: RequestOptions): Listing<ReportedError>;
  /** Retrieves a record for use in a browser. */
  frontend(id: number, options?: RequestOptions): Promise<ConfigRecord>;
  queueJob(id: number, job?: NewJob, options?: WriteOptions & IdempotencyOptions): Promise<QueuedJob>;
  job(id: number, jobId: string, options?: RequestOptions): Promise<Job>;
  /** Lists the jobs of a record, newest first. */
  jobs(id: number, query?: JobQuery, options?: RequestOptions): Listing<Job>;
  /** Lists the revisions of a record, newest first: its name, description and configuration after each change. */
  revisions(id: number, query?: PageQuery, options?: RequestOptions): Listing<Revision>;
  revision(id: number, number: number, options?: RequestOptions): Promise<Revision>;
  /** Restores the name, description and configuration of a revision. Secrets keep their current values. */
  restoreRevision(
    id: number,
    number: number,
    options?: WriteOptions & IdempotencyOptions,
  ): Promise<RestoredConfigRecord>;
  /** Retrieves the configuration of a runtime, including secrets. `timeoutMs` must be longer than `wait`. */
  runtime(query?: RuntimeQuery, options?: ReadOptions<RuntimeConfiguration>): Promise<RuntimeConfiguration>;
  /** Reports the state of a runtime. Expected once a minute. */
  reportRuntime(instance: string, report: RuntimeReport, options?: ChangeOptions): Promise<void>;
  /** Lists the runtimes, sorted by name. */
  runtimes(query?: PageQuery, options?: RequestOptions): Listing<Runtime>;
  /** Forgets a runtime. If it is still running, its next report adds it again. */
  forgetRuntime(instance: string, options?: ChangeOptions): Promise<void>;
  /** Cancels a job that is still queued. */
  cancelJob(id: number, jobId: string, options?: ChangeOptions): Promise<void>;
  /** Retrieves deliveries over time in at most 1,500 buckets, oldest first. Buckets without reports are left out. */
  deliveries(id: number, query?: DeliveryQuery, options?: RequestOptions): Promise<readonly DeliveryBucket[]>;
  /** Retrieves the deliveries of up to 100 records by hour, over 24 hours. Records without deliveries are left out. */
  recentDeliveries(ids: readonly number[], options?: RequestOptions): Promise<RecentDeliveries>;
}

/** The plugin configs of a project, which have logs. */
export interface PluginConfigs extends ConfigRecords {
  /** Lists the log of a plugin config, newest first. */
  logs(id: number, query?: LogQuery, options?: RequestOptions): Listing<LogEntry, LogPage>;
  /** Counts the entries of a log over time in at most 1,500 buckets, oldest first. Buckets without entries are left out. */
  logCounts(id: number, query?: LogCountsQuery, options?: RequestOptions): Promise<readonly LogCount[]>;
  /** Counts the entries of all logs of the project, including deleted plugin configs. Can be a minute out of date. */
  projectLogCounts(query?: LogCountsQuery, options?: RequestOptions): Promise<readonly LogCount[]>;
  /** Retrieves one entry of a log. */
  logEntry(id: number, entryId: string, query?: LogEntryQuery, options?: RequestOptions): Promise<LogEntry>;
  /** Streams new entries of the log of a plugin config. */
  streamLogs(
    id: number,
    query?: LogStreamQuery,
    options?: StreamOptions,
  ): AsyncIterable<LogEvent | ResetEvent>;
}

export interface QueuedJob {
  /** Empty after a dry run. */
  readonly jobId: string;
  /** The record at the time when the job was queued. */
  readonly record: ConfigRecord;
}

/** @internal */
export function configRecords({ call, open }: Api, project: string | number, family: Family): PluginConfigs {
  const all = { project_id: project, family };
  const one = (id: number) => ({ ...all, id });
  const log = (id: number) => ({ ...all, plugin_config_id: id });

  const retrieve: ConfigRecords['retrieve'] = async (id, options) =>
    call(`GET ${ONE}`, { params: one(id) }, options);

  const update = async (id: number, body: RecordChange, options?: WriteOptions): Promise<ConfigRecord> =>
    call(`PATCH ${ONE}`, { params: one(id), body }, options);

  const activity: ConfigRecords['activity'] = (id, query, options) =>
    listing(call, `GET ${ONE}/activity`, { params: one(id), query }, options);

  return {
    list: (query, options) => listing(call, `GET ${ALL}`, { params: all, query }, options),
    stream: (options) => open(`GET ${ALL}/stream`, { params: all }, options),
    create: async (body, options) => call(`POST ${ALL}`, { params: all, body }, options),
    retrieve,
    update: async (id, change, options = {}) =>
      typeof change === 'function'
        ? updateUntilCurrent({ retrieve, update, activity }, id, change, options)
        : update(id, change, options),
    replace: async (id, body, options) => call(`PUT ${ONE}`, { params: one(id), body }, options),
    delete: async (id, options) => call(`DELETE ${ONE}`, { params: one(id) }, options),
    setConfiguration: async (id, body, options) =>
      call(`PUT ${ONE}/config`, { params: one(id), body }, options),
    patchConfiguration: async (id, body, options) =>
      call(`PATCH ${ONE}/config`, { params: one(id), body }, options),
    rearrange: async (body, options) =>
      (await call(`PATCH ${ALL}/rearrange`, { params: all, body }, options)) as ConfigRecord,
    setPositions: async (orders, options) =>
      (await call(
        `PATCH ${ALL}/rearrange`,
        { params: all, body: { orders } },
        options,
      )) as readonly ConfigRecord[],
    activity,
    familyActivity: (query, options) => listing(call, `GET ${ALL}/activity`, { params: all, query }, options),
    errors: (query, options) => listing(call, `GET ${ALL}/errors`, { params: all, query }, options),
    frontend: async (id, options) => call(`GET ${ONE}/frontend`, { params: one(id) }, options),
    queueJob: async (id, body = {}, options) => {
      const record = await call(`POST ${ONE}/job`, { params: one(id), body }, options);
      return { jobId: lastSegment(headersOf(record)?.get('location') ?? ''), record };
    },
    job: async (id, jobId, options) =>
      call(`GET ${ONE}/jobs/:job_id`, { params: { ...one(id), job_id: jobId } }, options),
    jobs: (id, query, options) => listing(call, `GET ${ONE}/jobs`, { params: one(id), query }, options),
    revisions: (id, query, options) =>
      listing(call, `GET ${ONE}/revisions`, { params: one(id), query }, options),
    revision: async (id, revision, options) =>
      call(`GET ${ONE}/revisions/:revision`, { params: { ...one(id), revision } }, options),
    restoreRevision: async (id, revision, options) =>
      call(`POST ${ONE}/revisions/:revision/restore`, { params: { ...one(id), revision } }, options),
    runtime: async (query, options) => call(`GET ${ALL}/runtime`, { params: all, query }, options),
    reportRuntime: async (instance, body, options) =>
      call(`PUT ${ALL}/runtimes/:instance`, { params: { ...all, instance }, body }, options),
    runtimes: (query, options) => listing(call, `GET ${ALL}/runtimes`, { params: all, query }, options),
    forgetRuntime: async (instance, options) =>
      call(`DELETE ${ALL}/runtimes/:instance`, { params: { ...all, instance } }, options),
    cancelJob: async (id, jobId, options) =>
      call(`DELETE ${ONE}/jobs/:job_id`, { params: { ...one(id), job_id: jobId } }, options),
    deliveries: async (id, query, options) =>
      (await call(`GET ${ONE}/deliveries`, { params: one(id), query }, options)).results,
    recentDeliveries: async (ids, options) =>
      call(`GET ${ALL}/deliveries`, { params: all, query: { record: ids } }, options),
    logs: (id, query, options) => listing(call, `GET ${LOG}`, { params: log(id), query }, options),
    logCounts: async (id, query, options) =>
      (await call(`GET ${LOG}/counts`, { params: log(id), query }, options)).results,
    projectLogCounts: async (query, options) =>
      (await call(`GET ${ALL}/logs/counts`, { params: all, query }, options)).results,
    logEntry: async (id, entryId, query, options) =>
      call(`GET ${LOG}/:entry_id`, { params: { ...log(id), entry_id: entryId }, query }, options),
    streamLogs: (id, query, options) => open(`GET ${LOG}/stream`, { params: log(id), query }, options),
  };
}

function lastSegment(url: string): string {
  return url.replace(/\/$/, '').replace(/^.*\//, '');
}
