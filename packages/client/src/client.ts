import { administration, type Administration } from './administration.ts';
import { callEndpoints, type ChangeOptions, type RequestOptions } from './calls/call.ts';
import { requestsTo } from './calls/request.ts';
import { openStreams } from './calls/stream.ts';
import { listing, type Listing } from './calls/listing.ts';
import { DEFAULT_RETRY, type RetryPolicy } from './http/retry.ts';
import { projectConfiguration, type ProjectConfiguration } from './configuration.ts';
import { configRecords, type ConfigRecords, type PluginConfigs } from './records/config-records.ts';
import { pageSession, type PageSession } from './session.ts';
import type { PageQuery } from './wire/page.ts';
import type { Project, ProjectChange, Usage } from './wire/project.ts';

export interface ClientOptions {
  /** The address of the HTTP app, such as `https://plugins.example.com`. */
  readonly url: string;
  /** Only a page of the service itself may leave it out: its session counts then. */
  readonly key?: string | undefined;
  /** The time for each attempt: 10,000 ms by default. */
  readonly timeoutMs?: number | undefined;
  readonly retry?: Partial<RetryPolicy> | undefined;
  /** Used instead of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

export interface PluginConfigClient extends Administration {
  readonly session: PageSession;
  /** Lists the projects that the key may see. */
  projects(query?: PageQuery, options?: RequestOptions): Listing<Project>;
  /** A project by its id. `@current` is the only project of the key, else the first one that the key may see. */
  project(id: number | '@current'): ProjectClient;
}

export interface ProjectClient {
  retrieve(options?: RequestOptions): Promise<Project>;
  update(change: ProjectChange, options?: ChangeOptions): Promise<Project>;
  /** What the project brings into its logs day by day, and its quota. */
  usage(options?: RequestOptions): Promise<Usage>;
  readonly configuration: ProjectConfiguration;
  readonly pluginConfigs: PluginConfigs;
  readonly pipelineTransformationConfigs: ConfigRecords;
}

/** A client of the HTTP app. It sends nothing before its first call. */
export function pluginConfigClient(options: ClientOptions): PluginConfigClient {
  const { url, key, timeoutMs = 10_000, retry, fetch = globalThis.fetch } = options;
  const settings = {
    requestOf: requestsTo({ url, key }),
    timeoutMs,
    fetch,
    retry: { ...DEFAULT_RETRY, ...retry },
  };
  const api = { call: callEndpoints(settings), open: openStreams(settings) };
  const { call } = api;
  return {
    ...administration(call),
    session: pageSession(call),
    projects: (query, own) => listing(call, 'listProjects', { params: {}, query }, own),
    project: (id) => ({
      retrieve: async (own) => call('retrieveProject', { params: { project_id: id } }, own),
      update: async (change, own) => call('updateProject', { params: { project_id: id }, body: change }, own),
      usage: async (own) => call('retrieveUsage', { params: { project_id: id } }, own),
      configuration: projectConfiguration(call, id),
      pluginConfigs: configRecords(api, id, 'plugin_configs'),
      pipelineTransformationConfigs: configRecords(api, id, 'pipeline_transformation_configs'),
    }),
  };
}
