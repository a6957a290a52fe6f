import { sleep } from '../http/retry.ts';
import type { FailedProjectRecord } from '../wire.ts';
import { NO_CACHE } from './cache.ts';
import { ownerOf } from './encrypted-file.ts';
import { ageMsOf, follow } from './follow.ts';
import {
  knownProjects,
  type FollowedProjects,
  type KnownProject,
  type ProjectChange,
} from './known-projects.ts';
import { lazyReads, type LazyReads } from './lazy-reads.ts';
import type {
  LazyProjectsRuntime,
  ProjectConfiguration,
  ProjectId,
  ProjectsRuntime,
  ProjectsRuntimeOptions,
} from './plugin-runtime.ts';
import { projectReports } from './project-reports.ts';
import { projectsCacheFile } from './projects-cache-file.ts';
import { projectsConnection, type ProjectsConnection } from './projects-connection.ts';
import { reporter } from './reports.ts';

/** The service rejects reports with more records. */
const FAILED_MAX = 1_000;
/** Projects may change several times a second, and not each change is worth a report. */
const REPORT_PAUSE_MS = 1_000;

export async function openProjects(
  options: ProjectsRuntimeOptions,
): Promise<ProjectsRuntime | LazyProjectsRuntime> {
  const { cacheFile: path, plugins = [], shard = '0/1', load = 'eager', retry } = options;
  const projects = knownProjects({ isLazy: load === 'lazy' });
  let read: LazyReads = async () => null;
  let service: ProjectsConnection | undefined;

  const runtime = await follow<FollowedProjects, readonly ProjectChange[], FailedProjectRecord>(
    options,
    ({ signal, onError, secrets }) => {
      service = projectsConnection(options, projects, { signal, settled: secrets.settled });
      const connected = service;
      const pause = async (): Promise<void> => sleep(REPORT_PAUSE_MS, signal).catch(() => undefined);
      const reports = projectReports(
        reporter({ send: connected.report, pause, recordsMax: FAILED_MAX, onError }),
      );
      read = lazyReads({ service: connected, projects, pauses: retry, signal, onError });
      const filters = [shard, load, ...plugins.map(String).toSorted()];
      const cache =
        path === undefined ? NO_CACHE : projectsCacheFile(path, ownerOf(options, filters), projects);
      return {
        service: {
          fetch: async (known, waitSeconds) => {
            const state = await connected.fetch(known, waitSeconds);
            if (state !== known) for (const { project_id } of state.changes) reports.forget(project_id);
            return state;
          },
        },
        cache,
        reports,
        changeOf: ({ state }, isNewListener) => (isNewListener ? projects.changes() : state.changes),
      };
    },
  );

  const find = (id: ProjectId): KnownProject | undefined => {
    runtime.known();
    return projects.get(id);
  };
  const readCurrent = async (id: ProjectId): Promise<ProjectConfiguration | null> => {
    const known = find(id);
    if (known === undefined) return null;
    return projects.isCurrent(known) ? known.content : read(known.announced.project_id);
  };
  const { write, read: readProjects } = service as ProjectsConnection;
  const setSecrets: ProjectsRuntime['setSecrets'] = async (projectId, record, secrets, settings) => {
    const stored = await runtime.secrets.write(
      {
        record,
        secrets,
        send: async (sent) => write(sent, secrets),
        read: async () => {
          const [project] = (await readProjects([projectId])).projects;
          return project?.results?.find(({ id }) => id === record.id) ?? null;
        },
        onStored: (changed, versions) => projects.written(projectId, changed, versions),
      },
      settings,
    );
    await runtime.store();
    return stored;
  };
  return {
    setSecrets,
    on: runtime.on,
    applied: runtime.applied,
    failed: runtime.failed,
    jobs: runtime.jobs,
    close: runtime.close,
    get stale() {
      return runtime.known().stale;
    },
    get ageMs() {
      return ageMsOf(runtime.known());
    },
    project: load === 'lazy' ? readCurrent : (id: ProjectId) => find(id)?.content ?? null,
  } as ProjectsRuntime | LazyProjectsRuntime;
}
