import { leaseEnd, leaseOf, type Claim, type Reply } from './scripted-service.ts';

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

function recordOf(projectId: number, paddingBytes = 0) {
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

/** The type of the jobs that runtimes are checked with. */
export const JOB_TYPE = 'echo';
/** The lease to ask for: the shortest. */
export const LEASE_SECONDS = 10;

/** What the handler of the type is told to do. */
export interface Echo {
  /** How long it takes. */
  readonly seconds: number;
  readonly fail: boolean;
  readonly text: string;
}

export function accepts({ body: { types } }: Claim): boolean {
  return !Array.isArray(types) || types.length === 0 || types.includes(JOB_TYPE);
}

export function jobId(number: number): string {
  return `0197a3f2-5a1b-7c3d-8e4f-${String(number).padStart(12, '0')}`;
}

/** The response to a claim with a job. */
export function claimed(claim: Claim, number: number, payload: Echo): Reply {
  const { id, plugin, plugin_slug, config, config_version } = recordOf(1);
  const job = {
    ...projectName(1),
    id: jobId(number),
    record_id: id,
    plugin,
    plugin_slug,
    type: JOB_TYPE,
    payload,
    operation: null,
    attempt: 1,
    lease_expires_at: leaseEnd(leaseOf(claim)),
    config,
    config_version,
  };
  return { status: 200, body: { jobs: [job] } };
}

/** The response to a claim when there are no jobs. */
export const NO_JOBS: Reply = { status: 200, body: { jobs: [] } };
