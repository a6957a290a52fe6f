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
  /** The URL of the HTTP app, such as `https://plugins.example.com`. */
  readonly url: string;
  /** Optional only for pages of the service itself, which then use their session. */
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

export interface ProjectClient {
  retrieve(options?: RequestOptions): Promise<Project>;
  update(change: ProjectChange, options?: ChangeOptions): Promise<Project>;
  /** Retrieves the log quota of the project and its usage per day. */
  usage(options?: RequestOptions): Promise<Usage>;
  readonly configuration: ProjectConfiguration;
  readonly pluginConfigs: PluginConfigs;
  readonly pipelineTransformationConfigs: ConfigRecords;
}

/** Creates a client of the HTTP app. It sends nothing until its first call. */
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
    projects: (query, callOptions) => listing(call, 'listProjects', { params: {}, query }, callOptions),
    project: (id) => ({
      retrieve: async (callOptions) => call('retrieveProject', { params: { project_id: id } }, callOptions),
      update: async (change, callOptions) =>
        call('updateProject', { params: { project_id: id }, body: change }, callOptions),
      usage: async (callOptions) => call('retrieveUsage', { params: { project_id: id } }, callOptions),
      configuration: projectConfiguration(call, id),
      pluginConfigs: configRecords(api, id, 'plugin_configs'),
      pipelineTransformationConfigs: configRecords(api, id, 'pipeline_transformation_configs'),
    }),
  };
}
