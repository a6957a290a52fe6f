import { PluginConfigError, type Project, type RequestOptions } from '@plugin-config/client';
import { FolderOpen } from 'lucide-react';
import { service } from '../shell/service.ts';
import { useRead } from '../ui/queries.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import { withoutDuplicates } from '../ui/without-duplicates.ts';
import { recentProjectIds } from './recent-projects.ts';

const LIMIT = 20;
const RECENT_STALE_MS = 60_000;

/** The projects whose name or external id contains a text, those opened last first, then exact matches. */
export function useFoundProjects(text: string) {
  const wanted = text.trim();
  const search = useDebounced(wanted);
  const recentIds = recentProjectIds();
  const recent = useRead(
    ['projects', 'recent', ...recentIds],
    async (options) => readProjects(recentIds, options),
    { staleTime: RECENT_STALE_MS },
  );
  const found = useRead(
    ['projects', 'found', search],
    async (options) => {
      const query = { limit: LIMIT, ...(search !== '' && { search }) };
      return (await service.projects(query, options).page()).results;
    },
    { placeholderData: (previous) => previous },
  );
  const isEarlier = wanted !== search || found.isPlaceholderData;
  const results = found.data ?? [];
  return {
    projects: withoutDuplicates([
      ...projectsWith(wanted, recent.data ?? []),
      ...(isEarlier ? projectsWith(wanted, results) : results),
    ]),
    isPending: isEarlier || found.isLoading || recent.isLoading,
    error: found.error ?? recent.error,
  };
}

/** Returns the projects whose name or external id contains the text. */
function projectsWith(text: string, projects: readonly Project[]): readonly Project[] {
  const wanted = text.toLowerCase();
  return projects.filter(({ name, external_id: externalId }) =>
    [name, externalId ?? ''].some((one) => one.toLowerCase().includes(wanted)),
  );
}

async function readProjects(ids: readonly number[], options: RequestOptions): Promise<readonly Project[]> {
  const projects = await Promise.all(ids.map(async (id) => readOrNull(id, options)));
  return projects.filter((project) => project !== null);
}

/** Returns null for a project that was deleted, or that this key cannot see. */
async function readOrNull(id: number, options: RequestOptions): Promise<Project | null> {
  try {
    return await service.project(id).retrieve(options);
  } catch (error) {
    if (error instanceof PluginConfigError && (error.status === 403 || error.status === 404)) return null;
    throw error;
  }
}

/** A project to choose. */
export const projectOption = ({ id, name, external_id: externalId }: Project) => ({
  id: String(id),
  icon: FolderOpen,
  title: name,
  hint: externalId ?? `Project ${id}`,
});
