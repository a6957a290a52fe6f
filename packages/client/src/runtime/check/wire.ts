import type { Reply } from './scripted-service.ts';

/** How one kind of runtime gets its configuration. */
export interface Wire {
  /** The path of the variable `API`. */
  readonly path: string;
  configuration(version: string, paddingBytes?: number): Reply;
  unchanged(version: string): Reply;
  /** The field of a report that says what runs. */
  readonly versionField: 'version' | 'cursor';
}

export const KEY = 'phx_runtime_check';
/** A value of each configuration. It must not appear anywhere else. */
export const SECRET = 'hunter2-4711';

export interface Project {
  readonly project_id: number;
  readonly external_id: string;
  readonly version: string;
  readonly results?: readonly object[];
  readonly error?: 'too_large';
}

interface PageOptions {
  readonly more?: boolean;
  readonly reset?: boolean;
  readonly gone?: readonly number[];
}

function recordOf(projectId: number, paddingBytes = 0): object {
  return {
    id: 100 + projectId,
    plugin: 7,
    plugin_name: 'GeoIP',
    plugin_slug: 'geoip',
    name: 'GeoIP for the shop',
    order: 1,
    valid: true,
    config_version: 1,
    config: { token: SECRET, host: 'geo.example.com', padding: 'x'.repeat(paddingBytes) },
  };
}

export function projectOf(id: number, version: string, paddingBytes?: number): Project {
  return { ...projectName(id), version, results: [recordOf(id, paddingBytes)] };
}

export function tooLarge(id: number, version: string): Project {
  return { ...projectName(id), version, error: 'too_large' };
}

function projectName(id: number): Pick<Project, 'project_id' | 'external_id'> {
  return { project_id: id, external_id: `tenant-${id}` };
}

/** A page of the feed of all projects. */
export function page(
  cursor: string,
  projects: readonly Project[],
  { more = false, reset = false, gone = [] }: PageOptions = {},
): Reply {
  return { status: 200, body: { cursor, more, reset, projects, gone: gone.map(projectName) } };
}

export const ONE_PROJECT: Wire = {
  path: '/api/projects/@current/plugin_configs',
  configuration: (version, paddingBytes) => ({
    status: 200,
    headers: { etag: `"${version}"` },
    body: { version, results: [recordOf(1, paddingBytes)] },
  }),
  unchanged: (version) => ({ status: 304, headers: { etag: `"${version}"` } }),
  versionField: 'version',
};

export const ALL_PROJECTS: Wire = {
  path: '/api/runtime/plugin_configs',
  configuration: (version, paddingBytes) => page(version, [projectOf(1, version, paddingBytes)]),
  unchanged: (version) => page(version, []),
  versionField: 'cursor',
};
