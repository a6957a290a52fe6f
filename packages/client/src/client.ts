import { callEndpoints, openStreams, type Api, type ChangeOptions } from './calls/call.ts';
import { projectMethods, serviceMethods, type ProjectMethods, type ServiceMethods } from './calls/methods.ts';
import { requestsTo, type RequestParts } from './calls/request.ts';
import { DEFAULT_RETRY, type RetryPolicy } from './http/retry.ts';
import { configRecords, type ConfigRecords, type PluginConfigs } from './records/config-records.ts';

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

export interface PluginConfigClient extends ServiceMethods {
  /** Returns a client for a project, by its id or `ext:` and its external id. `@current` is the first that the key can access. */
  project(id: number | '@current' | `ext:${string}`): ProjectClient;
  /** Sends a request to any endpoint: its route is the method and the path, such as `GET /api/projects/:project_id`. */
  request(route: string, parts: RequestParts, options?: ChangeOptions): Promise<unknown>;
}

export interface ProjectClient extends ProjectMethods {
  readonly pluginConfigs: PluginConfigs;
  readonly pipelineTransformationConfigs: ConfigRecords;
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
  return {
    ...serviceMethods(api),
    project: (id) => projectClient(api, id),
    request: async (route, parts, changing) =>
      api.call({ route, repeats: route.startsWith('GET ') ? 'always' : 'with a condition' }, parts, changing),
  };
}

function projectClient(api: Api, id: number | '@current' | `ext:${string}`): ProjectClient {
  return {
    ...projectMethods(api, { project_id: id }),
    pluginConfigs: configRecords(api, id, 'plugin_configs'),
    pipelineTransformationConfigs: configRecords(api, id, 'pipeline_transformation_configs'),
  };
}
