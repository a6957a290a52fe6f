import { administration, type Administration } from './administration.ts';
import { projectAlerts, type Alerts } from './alerts.ts';
import {
  callEndpoints,
  openStreams,
  type Api,
  type ChangeOptions,
  type RequestOptions,
} from './calls/call.ts';
import { requestsTo } from './calls/request.ts';
import { listing, type Listing } from './calls/listing.ts';
import { DEFAULT_RETRY, type RetryPolicy } from './http/retry.ts';
import { projectConfiguration, type ProjectConfiguration } from './configuration.ts';
import { configRecords, type ConfigRecords, type PluginConfigs } from './records/config-records.ts';
import { projectWebhooks, type Webhooks } from './webhooks.ts';
import type {
  Erasure,
  Incident,
  IncidentQuery,
  Overview,
  OwnApiKey,
  PageQuery,
  Project,
  ProjectChange,
  DeadLetter,
  Usage,
} from './wire.ts';

const ONE = '/api/projects/:project_id';

export interface ClientOptions {
  /** The URL of the HTTP app, such as `https://plugins.example.com`. */
  readonly url: string;
  /** Omit it only in pages served by the service itself, which use their session instead. */
  readonly key?: string | undefined;
  /** The timeout of each attempt. Defaults to 10,000 ms. */
  readonly timeoutMs?: number | undefined;
  readonly retry?: Partial<RetryPolicy> | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

export interface PluginConfigClient extends Administration {
  readonly session: PageSession;
  /** Lists the projects that the key can access. */
  projects(query?: PageQuery, options?: RequestOptions): Listing<Project>;
  /** Returns a client for a project. `@current` is the first project that the key can access. */
  project(id: number | '@current'): ProjectClient;
}

/** The session of a page served by the service, for clients without a key. */
export interface PageSession {
  /** Signs in. The browser keeps a cookie that scripts cannot read. */
  begin(key: string, options?: RequestOptions): Promise<void>;
  /** Retrieves the key of the session. */
  retrieve(options?: RequestOptions): Promise<OwnApiKey>;
  /** Signs out. */
  end(options?: RequestOptions): Promise<void>;
}

export interface ProjectClient {
  retrieve(options?: RequestOptions): Promise<Project>;
  update(change: ProjectChange, options?: ChangeOptions): Promise<Project>;
  /** Deletes the project and everything in it. Pass its current name to confirm. */
  delete(name: string, options?: ChangeOptions): Promise<Erasure>;
  /** Retrieves the log quota of the project and its usage per day. */
  usage(options?: RequestOptions): Promise<Usage>;
  /** Lists the messages that could not be stored, newest first. */
  deadLetters(query?: PageQuery, options?: RequestOptions): Listing<DeadLetter>;
  /** Summarizes the records, runtimes, deliveries, errors, incidents and latest changes of the project. */
  overview(options?: RequestOptions): Promise<Overview>;
  readonly configuration: ProjectConfiguration;
  readonly pluginConfigs: PluginConfigs;
  readonly pipelineTransformationConfigs: ConfigRecords;
  readonly alerts: Alerts;
  /** Lists the incidents of all alerts: open ones first, then the newest. */
  incidents(query?: IncidentQuery, options?: RequestOptions): Listing<Incident>;
  readonly webhooks: Webhooks;
}

/** Creates a client for the HTTP app. It sends nothing until its first call. */
export function pluginConfigClient(options: ClientOptions): PluginConfigClient {
  const { url, key, timeoutMs = 10_000, retry, fetch = globalThis.fetch } = options;
  const settings = {
    requestOf: requestsTo(url, key),
    timeoutMs,
    fetch,
    retry: { ...DEFAULT_RETRY, ...retry },
  };
  const api = { call: callEndpoints(settings), open: openStreams(settings) };
  const { call } = api;
  return {
    ...administration(call),
    session: {
      begin: async (sessionKey, callOptions) =>
        call('POST /api/session', { params: {}, body: { key: sessionKey } }, callOptions),
      retrieve: async (callOptions) => call('GET /api/session', { params: {} }, callOptions),
      end: async (callOptions) => call('DELETE /api/session', { params: {} }, callOptions),
    },
    projects: (query, callOptions) => listing(call, 'GET /api/projects', { params: {}, query }, callOptions),
    project: (id) => projectClient(api, id),
  };
}

function projectClient(api: Api, id: number | '@current'): ProjectClient {
  const { call } = api;
  const params = { project_id: id };
  return {
    retrieve: async (options) => call(`GET ${ONE}`, { params }, options),
    update: async (body, options) => call(`PATCH ${ONE}`, { params, body }, options),
    delete: async (name, options) => call(`DELETE ${ONE}`, { params, body: { name } }, options),
    usage: async (options) => call(`GET ${ONE}/usage`, { params }, options),
    deadLetters: (query, options) => listing(call, `GET ${ONE}/dead_letters`, { params, query }, options),
    overview: async (options) => call(`GET ${ONE}/overview`, { params }, options),
    configuration: projectConfiguration(call, id),
    pluginConfigs: configRecords(api, id, 'plugin_configs'),
    pipelineTransformationConfigs: configRecords(api, id, 'pipeline_transformation_configs'),
    alerts: projectAlerts(call, id),
    incidents: (query, options) => listing(call, `GET ${ONE}/incidents`, { params, query }, options),
    webhooks: projectWebhooks(call, id),
  };
}
