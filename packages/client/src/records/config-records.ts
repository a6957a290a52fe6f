import type {
  Call,
  ChangeOptions,
  IdempotencyOptions,
  ReadOptions,
  RequestOptions,
  WriteOptions,
} from '../calls/call.ts';
import { listing, type Listing } from '../calls/listing.ts';
import type { OpenStream } from '../calls/stream.ts';
import { headersOf } from '../calls/tags.ts';
import type {
  ActivityEntry,
  ActivityPage,
  FamilyActivityEntry,
  FamilyActivityQuery,
} from '../wire/activity.ts';
import type { DeliveryBucket, DeliveryQuery } from '../wire/delivery.ts';
import type { Job, JobQuery, NewJob } from '../wire/job.ts';
import type { Family } from '../wire/family.ts';
import type { JsonObject } from '../wire/json.ts';
import type {
  LogCount,
  LogCountsQuery,
  LogEntry,
  LogEntryQuery,
  LogPage,
  LogQuery,
  LogStreamQuery,
} from '../wire/log.ts';
import type { PageQuery } from '../wire/page.ts';
import type { ConfigRecord, Move, NewRecord, Positions, RecordChange, RecordQuery } from '../wire/record.ts';
import type { ReportedError, ReportedErrorQuery } from '../wire/reported-error.ts';
import type { RestoredConfigRecord, Revision } from '../wire/revision.ts';
import type { Runtime, RuntimeConfiguration, RuntimeQuery, RuntimeReport } from '../wire/runtime.ts';
import type { LogEvent, OrderEvent, RecordEvent, ResetEvent } from '../wire/stream.ts';
import type { StreamOptions } from '../streams/event-stream.ts';
import { updateUntilCurrent, type ChangeOf } from './update-until-current.ts';

/** How many of the latest changes to search for a lost one. */
const LATEST_CHANGES = 100;

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
  /** Reads the record and writes the change that the function returns. Repeats both if another writer was faster. */
  update(id: number, change: ChangeOf, options?: Omit<ChangeOptions, 'requestId'>): Promise<ConfigRecord>;
  /** Sets every writable field. Absent fields are reset to their defaults, except `order`, which is kept. */
  replace(id: number, record: NewRecord, options?: WriteOptions): Promise<ConfigRecord>;
  /** Marks the record as deleted and disables it. `update(id, { deleted: false })` restores it. */
  delete(id: number, options?: WriteOptions): Promise<void>;
  /** Replaces the configuration. A secret that is missing or masked keeps its value. */
  setConfiguration(id: number, configuration: JsonObject, options?: WriteOptions): Promise<ConfigRecord>;
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
  /** Retrieves the configuration of a runtime, including secrets. With a `wait`, `timeoutMs` must be longer than that. */
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

interface Api {
  readonly call: Call;
  readonly open: OpenStream;
}

export function configRecords({ call, open }: Api, project: string | number, family: Family): PluginConfigs {
  const all = { project_id: project, family };
  const one = (id: number) => ({ ...all, id });

  const retrieve: ConfigRecords['retrieve'] = async (id, options) =>
    call('retrieveRecord', { params: one(id) }, options);

  const update = async (id: number, body: RecordChange, options?: WriteOptions): Promise<ConfigRecord> =>
    call('updateRecord', { params: one(id), body }, options);

  return {
    list: (query, options) => listing(call, 'listRecords', { params: all, query }, options),
    stream: (options) => open('streamRecords', { params: all }, options),
    create: async (body, options) => call('createRecord', { params: all, body }, options),
    retrieve,
    update: async (id, change, options = {}) =>
      typeof change === 'function'
        ? updateUntilCurrent(
            {
              retrieve: async (callOptions) => retrieve(id, callOptions),
              update: async (fields, callOptions) => update(id, fields, callOptions),
              hasChanged: async (requestId, callOptions) => {
                const query = { limit: LATEST_CHANGES };
                const { results } = await call('retrieveActivity', { params: one(id), query }, callOptions);
                return results.some((entry) => entry.request_id === requestId);
              },
            },
            change,
            options,
          )
        : update(id, change, options),
    replace: async (id, body, options) => call('replaceRecord', { params: one(id), body }, options),
    delete: async (id, options) => call('deleteRecord', { params: one(id) }, options),
    setConfiguration: async (id, body, options) =>
      call('setConfiguration', { params: one(id), body }, options),
    rearrange: async (body, options) =>
      (await call('rearrangeRecords', { params: all, body }, options)) as ConfigRecord,
    setPositions: async (orders, options) =>
      (await call('rearrangeRecords', { params: all, body: { orders } }, options)) as readonly ConfigRecord[],
    activity: (id, query, options) => listing(call, 'retrieveActivity', { params: one(id), query }, options),
    familyActivity: (query, options) => listing(call, 'listActivity', { params: all, query }, options),
    errors: (query, options) => listing(call, 'listErrors', { params: all, query }, options),
    frontend: async (id, options) => call('retrieveFrontend', { params: one(id) }, options),
    queueJob: async (id, body = {}, options) => {
      const record = await call('queueJob', { params: one(id), body }, options);
      return { jobId: lastSegment(headersOf(record)?.get('location') ?? ''), record };
    },
    job: async (id, jobId, options) =>
      call('retrieveJob', { params: { ...one(id), job_id: jobId } }, options),
    jobs: (id, query, options) => listing(call, 'listJobs', { params: one(id), query }, options),
    revisions: (id, query, options) => listing(call, 'listRevisions', { params: one(id), query }, options),
    revision: async (id, revision, options) =>
      call('retrieveRevision', { params: { ...one(id), revision } }, options),
    restoreRevision: async (id, revision, options) =>
      call('restoreRevision', { params: { ...one(id), revision } }, options),
    runtime: async (query = {}, options = {}) => call('retrieveRuntime', { params: all, query }, options),
    reportRuntime: async (instance, body, options) =>
      call('reportRuntime', { params: { ...all, instance }, body }, options),
    runtimes: (query, options) => listing(call, 'listRuntimes', { params: all, query }, options),
    forgetRuntime: async (instance, options) =>
      call('forgetRuntime', { params: { ...all, instance } }, options),
    cancelJob: async (id, jobId, options) =>
      call('cancelJob', { params: { ...one(id), job_id: jobId } }, options),
    deliveries: async (id, query = {}, options) =>
      (await call('retrieveDeliveries', { params: one(id), query }, options)).results,
    logs: (id, query, options) =>
      listing(call, 'listLogs', { params: { ...all, plugin_config_id: id }, query }, options),
    logCounts: async (id, query = {}, options) =>
      (await call('countLogs', { params: { ...all, plugin_config_id: id }, query }, options)).results,
    projectLogCounts: async (query = {}, options) =>
      (await call('countProjectLogs', { params: all, query }, options)).results,
    logEntry: async (id, entryId, query = {}, options = {}) =>
      call(
        'retrieveLogEntry',
        { params: { ...all, plugin_config_id: id, entry_id: entryId }, query },
        options,
      ),
    streamLogs: (id, query = {}, options = {}) =>
      open('streamLogs', { params: { ...all, plugin_config_id: id }, query }, options),
  };
}

function lastSegment(url: string): string {
  return url.replace(/\/$/, '').replace(/^.*\//, '');
}
