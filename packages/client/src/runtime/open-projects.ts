import { sleep } from '../http/retry.ts';
import { NO_CACHE } from './cache.ts';
import { ownerOf } from './encrypted-file.ts';
import { ageMsOf, follow } from './follow.ts';
import { knownProjects, type FollowedProjects, type KnownProject } from './known-projects.ts';
import { lazyReads } from './lazy-reads.ts';
import type {
  LazyProjectsRuntime,
  ProjectConfiguration,
  ProjectId,
  ProjectsRuntime,
  ProjectsRuntimeOptions,
} from './plugin-runtime.ts';
import { projectReports } from './project-reports.ts';
import { projectsCacheFile } from './projects-cache-file.ts';
import { projectsConnection } from './projects-connection.ts';
import { reporter } from './reports.ts';
import type { Known } from './start.ts';

/** The service rejects reports with more records. */
const FAILED_MAX = 1_000;
/** Projects may change several times a second, and not each change is worth a report. */
const REPORT_PAUSE_MS = 1_000;

export async function openProjects(
  options: ProjectsRuntimeOptions,
): Promise<ProjectsRuntime | LazyProjectsRuntime> {
  const { cacheFile: path, plugins = [], shard = '0/1', load = 'eager', retry } = options;
  const projects = knownProjects({ isLazy: load === 'lazy' });

  const following = await follow(options, ({ signal, onError, secrets }) => {
    const connected = projectsConnection(options, projects, { signal, settled: secrets.settled });
    const pause = async (): Promise<void> => sleep(REPORT_PAUSE_MS, signal).catch(() => undefined);
    const reports = projectReports(
      reporter({ send: connected.report, pause, recordsMax: FAILED_MAX, onError }),
    );
    const filters = [shard, load, ...plugins.map(String).toSorted()];
    const service = {
      ...connected,
      readLazily: lazyReads({ service: connected, projects, pauses: retry, signal, onError }),
      fetch: async (known: FollowedProjects | null, waitSeconds?: number) => {
        const state = await connected.fetch(known, waitSeconds);
        if (state !== known) for (const { project_id } of state.changes) reports.forget(project_id);
        return state;
      },
    };
    return {
      service,
      cache: path === undefined ? NO_CACHE : projectsCacheFile(path, ownerOf(options, filters), projects),
      reports,
      changeOf: ({ state }: Known<FollowedProjects>, isNewListener: boolean) =>
        isNewListener ? projects.changes() : state.changes,
    };
  });
  const { known: knownNow, service, replace: _, writeBack, ...runtime } = following;

  const find = (id: ProjectId): KnownProject | undefined => {
    knownNow();
    return projects.get(id);
  };
  const readCurrent = async (id: ProjectId): Promise<ProjectConfiguration | null> => {
    const known = find(id);
    if (known === undefined) return null;
    return projects.isCurrent(known) ? known.content : service.readLazily(known.announced.project_id);
  };
  const setSecrets: ProjectsRuntime['setSecrets'] = async (projectId, record, secrets, settings) =>
    writeBack(
      {
        record,
        secrets,
        read: async () => {
          const [project] = (await service.read([projectId])).projects;
          return project?.results?.find(({ id }) => id === record.id) ?? null;
        },
        onStored: (changed, versions) => projects.written(projectId, changed, versions),
      },
      settings,
    );
  return {
    ...runtime,
    setSecrets,
    get stale() {
      return knownNow().stale;
    },
    get ageMs() {
      return ageMsOf(knownNow());
    },
    project: load === 'lazy' ? readCurrent : (id: ProjectId) => find(id)?.content ?? null,
  } as ProjectsRuntime | LazyProjectsRuntime;
}
