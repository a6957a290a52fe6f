import type { RuntimeConfiguration, RuntimeRecord } from '../wire.ts';
import { NO_CACHE } from './cache.ts';
import { cacheFile } from './cache-file.ts';
import { connection } from './connection.ts';
import { deepFreeze } from './deep-freeze.ts';
import { ownerOf } from './encrypted-file.ts';
import { ageMsOf, follow } from './follow.ts';
import { openProjects } from './open-projects.ts';
import type {
  CurrentConfiguration,
  LazyProjectsRuntime,
  PluginRuntime,
  ProjectsRuntime,
  ProjectsRuntimeOptions,
  RuntimeOptions,
} from './plugin-runtime.ts';
import { reporter } from './reports.ts';
import type { Known } from './start.ts';

/** The service rejects reports with more records. */
const FAILED_MAX = 100;

/**
 * Opens a runtime with the state from the service or, if the service is unavailable, from the file. Rejects if there is neither
 * within the timeout, and immediately if the service responds with 401, 403 or 404.
 */
export async function openRuntime(
  options: ProjectsRuntimeOptions & { readonly load: 'lazy' },
): Promise<LazyProjectsRuntime>;
export async function openRuntime(
  options: ProjectsRuntimeOptions & { readonly load?: undefined },
): Promise<ProjectsRuntime>;
export async function openRuntime(options: RuntimeOptions): Promise<PluginRuntime>;
export async function openRuntime(
  options: RuntimeOptions | ProjectsRuntimeOptions,
): Promise<PluginRuntime | ProjectsRuntime | LazyProjectsRuntime> {
  if (!('projects' in options)) return openProject(options);
  const { projects, load = 'eager' }: { readonly projects: string; readonly load?: string | undefined } =
    options;
  if (projects !== 'all') throw new TypeError("projects must be 'all'; to follow one project, use project.");
  if (load !== 'eager' && load !== 'lazy') throw new TypeError("load must be 'lazy' or absent.");
  return openProjects(options);
}

async function openProject(options: RuntimeOptions): Promise<PluginRuntime> {
  const { project, cacheFile: path } = options;
  const following = await follow(options, ({ signal, onError }) => {
    const service = connection(options, signal);
    return {
      service,
      cache: path === undefined ? NO_CACHE : cacheFile(path, ownerOf(options, project)),
      reports: reporter({ send: service.report, recordsMax: FAILED_MAX, onError }),
      changeOf: currentOf,
    };
  });
  const { known, service, replace, writeBack, ...runtime } = following;
  return {
    ...runtime,
    current: () => currentOf(known()),
    setSecrets: async (record, secrets, settings) =>
      writeBack(
        {
          record,
          secrets,
          read: async () => (await service.fetch(null)).results.find(({ id }) => id === record.id) ?? null,
          onStored: (changed, { version, previous_version }) =>
            replace(previous_version, (state) => writtenTo(state, changed, version)),
        },
        settings,
      ),
  };
}

function writtenTo(
  state: RuntimeConfiguration,
  changed: RuntimeRecord,
  version: string | null,
): RuntimeConfiguration {
  const results = state.results.map((record) => (record.id === changed.id ? changed : record));
  return deepFreeze({ ...state, version: version ?? state.version, results });
}

function currentOf(known: Known<RuntimeConfiguration>): CurrentConfiguration {
  return { ...known.state, stale: known.stale, ageMs: ageMsOf(known) };
}
