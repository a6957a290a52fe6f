import { pluginConfigClient, type ProjectClient } from '@plugin-config/client';

export interface ReceivedResponse<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
  /** The milliseconds from the first byte of the request to the last byte of the response. */
  readonly durationMs: number;
}

interface Address {
  readonly api: string;
  readonly ingestion: string;
  readonly projectId: number;
  readonly token: string;
}

/** A project with a key. The client sends each call once. */
export interface Tenant extends Address, ProjectClient {
  /** Calls the HTTP app; `path` is relative to the project. A string body is sent unchanged, others as JSON. */
  call<T = unknown>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<ReceivedResponse<T>>;
  /** Attaches a plugin. Returns the id of the new record. */
  attach(plugin?: number): Promise<number>;
  /** Pushes lines to the worker: objects as JSON, strings unchanged. */
  push<T = { stored: number; duplicates: number; dead: number }>(
    lines: readonly unknown[],
  ): Promise<ReceivedResponse<T>>;
}

export function tenant(address: Address): Tenant {
  const { api, ingestion, projectId, token } = address;
  const authorization = { authorization: `Bearer ${token}` };
  const call: Tenant['call'] = (method, path, body, headers = {}) =>
    send(`${api}/api/projects/${projectId}${path}`, {
      method,
      headers: {
        ...authorization,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  const project = pluginConfigClient({
    url: api,
    key: token,
    retry: { attempts: 1 },
    timeoutMs: 60_000,
  }).project(projectId);
  return {
    ...address,
    ...project,
    call,
    attach: async (plugin = 7) => (await project.pluginConfigs.create({ plugin })).id,
    push: (lines) =>
      send(`${ingestion}/ingest`, {
        method: 'POST',
        headers: { ...authorization, 'content-type': 'application/x-ndjson' },
        body: lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
      }),
  };
}

async function send<T>(url: string, init: RequestInit): Promise<ReceivedResponse<T>> {
  const start = performance.now();
  const response = await fetch(url, init);
  const text = await response.text();
  const body = (text === '' ? null : JSON.parse(text)) as T;
  return { status: response.status, headers: response.headers, body, durationMs: performance.now() - start };
}
