import { PluginConfigError } from '../http/error.ts';
import { DEFAULT_RETRY, withRetries, type Pauses } from '../http/retry.ts';
import { isAccessDenied, notFromService } from './connection.ts';
import type { KnownProjects } from './known-projects.ts';
import type { ProjectConfiguration } from './plugin-runtime.ts';
import type { ProjectsConnection } from './projects-connection.ts';

const PROJECTS_MAX = 250;

interface Dependencies {
  readonly service: Pick<ProjectsConnection, 'read'>;
  readonly projects: KnownProjects;
  readonly pauses: Partial<Pauses> | undefined;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/** Reads the configuration of a project; null if it is gone. */
export type LazyReads = (projectId: number) => Promise<ProjectConfiguration | null>;

interface Wanted {
  readonly promise: Promise<ProjectConfiguration | null>;
  readonly resolve: (content: ProjectConfiguration | null) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Returns a function that reads the configuration of a project. One request is under way at a time, for all projects that were
 * wanted when it was sent.
 */
export function lazyReads({ service, projects, pauses, signal, onError }: Dependencies): LazyReads {
  const wanted = new Map<number, Wanted>();
  let isReading = false;

  const settle = (projectId: number, how: (one: Wanted) => void): void => {
    const one = wanted.get(projectId);
    wanted.delete(projectId);
    if (one !== undefined) how(one);
  };

  /** Reads some projects. A project that changed in the meantime, or did not fit, is read again. */
  const read = async (ids: readonly number[]): Promise<void> => {
    const announced = new Map(ids.map((id) => [id, projects.get(id)?.announced.version ?? null]));
    const received = await withRetries(async () => service.read(ids), {
      policy: { ...DEFAULT_RETRY, ...pauses },
      isRepeatable: true,
      signal,
    });
    for (const { project_id } of received.gone)
      if (project_id !== null) settle(project_id, ({ resolve }) => resolve(null));
    for (const project of received.projects) {
      const { project_id } = project;
      if (projects.load(project, announced.get(project_id) ?? null))
        settle(project_id, ({ resolve }) => resolve(projects.get(project_id)?.content ?? null));
      else if (projects.get(project_id) === undefined) settle(project_id, ({ resolve }) => resolve(null));
    }
    if (received.projects.length + received.gone.length === 0) throw notFromService();
  };

  const readAll = async (): Promise<void> => {
    isReading = true;
    // Lets concurrent calls join.
    await Promise.resolve();
    while (wanted.size > 0) {
      const ids = [...wanted.keys()].slice(0, PROJECTS_MAX);
      await read(ids).catch((error: unknown) => {
        const isMasked = error instanceof PluginConfigError && !isAccessDenied(error);
        if (isMasked) onError(error);
        for (const id of ids) {
          const last = isMasked ? projects.get(id)?.content : null;
          settle(id, ({ resolve, reject }) => (last == null ? reject(error) : resolve(last)));
        }
      });
    }
    isReading = false;
  };

  return async (projectId) => {
    let one = wanted.get(projectId);
    if (one === undefined) {
      one = deferred();
      wanted.set(projectId, one);
      if (!isReading) void readAll();
    }
    return one.promise;
  };
}

function deferred(): Wanted {
  let resolve: Wanted['resolve'] = () => undefined;
  let reject: Wanted['reject'] = () => undefined;
  const promise = new Promise<ProjectConfiguration | null>((fulfil, fail) => {
    resolve = fulfil;
    reject = fail;
  });
  return { promise, resolve, reject };
}
