import { serviceMethods } from '../calls/methods.ts';
import { PluginConfigError } from '../http/error.ts';
import type { FailedProjectRecord, RuntimeFeed, RuntimeProjects } from '../wire.ts';
import { notFromService, requestsOf, type Connection } from './connection.ts';
import type { FollowedProjects, KnownProjects } from './known-projects.ts';
import type { ProjectsRuntimeOptions } from './plugin-runtime.ts';

export interface ProjectsConnection extends Connection<FollowedProjects, FailedProjectRecord> {
  /** Reads the configurations of at most 250 projects. */
  read(projectIds: readonly number[]): Promise<RuntimeProjects>;
}

export function projectsConnection(
  options: ProjectsRuntimeOptions,
  projects: KnownProjects,
  { signal, settled }: { readonly signal: AbortSignal; readonly settled: () => Promise<void> },
): ProjectsConnection {
  const { family, labels, runs, load, shard, plugins } = options;
  const { api, timeoutMs, instance } = requestsOf(options);
  const { feed } = serviceMethods(api);
  const plugin = plugins?.map(String);
  const content = load === 'lazy' ? false : undefined;

  const fetchPage = async (after: string | undefined, wait: number): Promise<RuntimeFeed> => {
    const writes = projects.writes();
    const page = await feed.retrieve(
      family,
      { after, wait: wait || undefined, plugin, shard, content },
      { timeoutMs: timeoutMs + wait * 1000, signal },
    );
    requirePage(page);
    await settled();
    // What was written back during the request may be missing in its response.
    return projects.isOlder(page, writes) ? fetchPage(after, 0) : page;
  };

  return {
    async fetch(known, waitSeconds = 0) {
      let cursor = known?.version;
      let wait = known?.isComplete === false ? 0 : waitSeconds;
      for (;;) {
        const page = await fetchPage(cursor, wait).catch(async (error: unknown) => {
          if (cursor === undefined || !isUnknownCursor(error)) throw error;
          return { ...(await fetchPage(undefined, 0)), reset: true };
        });
        const changes = projects.apply(page);
        const isComplete = !page.more;
        if (known === null || changes.length > 0) return { version: page.cursor, isComplete, changes };
        // The object stays the same, because there is no change to deliver.
        known.version = cursor = page.cursor;
        known.isComplete = isComplete;
        if (isComplete) return known;
        wait = 0;
      }
    },
    read: async (projectIds) => feed.read(family, { projects: [...projectIds] }, { plugin }, { signal }),
    write: async ({ id, config_version }, secrets) =>
      feed.writeBack(family, id, { config_version, set: secrets }, { plugin }, { signal }),
    async report({ version, ...report }) {
      await feed.report(family, instance, { ...report, cursor: version, labels, plugins: runs }, { signal });
    },
  };
}

/** Returns whether another release of the service cannot read the cursor. */
function isUnknownCursor(error: unknown): boolean {
  return error instanceof PluginConfigError && error.status === 400 && error.attr === 'after';
}

function requirePage(page: Partial<RuntimeFeed> | undefined): void {
  if (typeof page?.cursor !== 'string' || !Array.isArray(page.projects) || !Array.isArray(page.gone))
    throw notFromService();
}
