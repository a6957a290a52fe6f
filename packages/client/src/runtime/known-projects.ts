import type { RuntimeFeed, RuntimeRecord, WrittenBack } from '../wire.ts';
import { deepFreeze } from './deep-freeze.ts';
import type { Changed, ProjectConfiguration, ProjectId, ProjectVersion } from './plugin-runtime.ts';
import type { Followed } from './start.ts';

type FeedProject = RuntimeFeed['projects'][number];
export type ProjectChange = Changed<ProjectVersion> | Changed<ProjectConfiguration>;

/** The state of a runtime after a page of the feed. */
export interface FollowedProjects extends Followed {
  /** The cursor of the page. */
  version: string;
  isComplete: boolean;
  /** The changes on the page. */
  readonly changes: readonly ProjectChange[];
}

/** A project, in the form stored in the file. */
export interface KnownProject {
  /** The version in the feed. */
  readonly announced: ProjectVersion;
  /** The last configuration; null if none was fetched yet. */
  readonly content: ProjectConfiguration | null;
  /** The value of `announced` when `content`, which is not older, was requested. */
  readonly contentFor: string | null;
}

/** The projects of a runtime, by their ids. */
export interface KnownProjects {
  /** Applies a page of the feed. Returns what it has changed. */
  apply(page: RuntimeFeed): readonly ProjectChange[];
  /** Stores a configuration that was requested at this version. Returns whether it is not older than the feed. */
  load(received: FeedProject, contentFor: string | null): boolean;
  /** Puts what was written back in place, if the project has the previous version. */
  written(projectId: number, record: RuntimeRecord, versions: WrittenBack): void;
  /** Returns the number of write-backs so far. */
  writes(): number;
  /** Whether a page has another version of a project to which a secret was written since. */
  isOlder(page: RuntimeFeed, writes: number): boolean;
  /** Returns whether the configuration of a project is not older than the feed. */
  isCurrent(known: KnownProject): boolean;
  get(id: ProjectId): KnownProject | undefined;
  all(): readonly KnownProject[];
  /** Returns all projects, as a page that has changed them. */
  changes(): readonly ProjectChange[];
  /** Returns the ids of the projects that have changed since the last call. */
  takeUnsaved(): readonly number[];
  /** Puts a stored project in place; null removes it. */
  restore(projectId: number, known: KnownProject | null): void;
}

export function knownProjects({ isLazy }: { readonly isLazy: boolean }): KnownProjects {
  const byId = new Map<number, KnownProject>();
  const idOf = new Map<string, number>();
  let unsaved = new Set<number>();
  let writes = 0;
  /** The numbers of the last writes. */
  const writtenAt = new Map<number, number>();
  /** The projects that a feed from its beginning has not sent yet; null outside of one. */
  let unseen: Set<number> | null = null;

  const set = (projectId: number, known: KnownProject | null): void => {
    const before = byId.get(projectId)?.announced.external_id ?? null;
    const externalId = known?.announced.external_id ?? null;
    // Another project may have got the external id in the meantime.
    if (before !== null && before !== externalId && idOf.get(before) === projectId) idOf.delete(before);
    if (externalId !== null) idOf.set(externalId, projectId);
    if (known === null) {
      byId.delete(projectId);
      writtenAt.delete(projectId);
    } else byId.set(projectId, deepFreeze(known));
    unsaved.add(projectId);
  };

  const remove = (projectId: number): ProjectChange[] => {
    const known = byId.get(projectId);
    if (known === undefined) return [];
    set(projectId, null);
    const { external_id } = known.announced;
    const gone = { project_id: projectId, external_id, version: null, error: null, gone: true };
    return [Object.freeze(isLazy ? gone : { ...gone, results: [] })];
  };

  const update = (received: FeedProject): ProjectChange[] => {
    const announced = versionOf(received);
    const known = byId.get(announced.project_id);
    if (known !== undefined && isSame(known.announced, announced)) return [];
    const content = isLazy ? (known?.content ?? null) : configurationOf(received, known);
    set(announced.project_id, {
      announced,
      content,
      contentFor: isLazy ? (known?.contentFor ?? null) : announced.version,
    });
    return [changeOf(announced, content)];
  };

  const changeOf = (announced: ProjectVersion, content: ProjectConfiguration | null): ProjectChange => {
    return Object.freeze({ ...(isLazy || content === null ? announced : content), gone: false });
  };

  return {
    apply({ reset, more, gone, projects }) {
      if (reset) unseen = new Set(byId.keys());
      for (const { project_id } of [...gone, ...projects]) unseen?.delete(project_id);
      const changes = [
        ...gone.flatMap(({ project_id }) => remove(project_id)),
        ...projects.flatMap((project) => update(project)),
      ];
      if (more || unseen === null) return changes;
      const missing = [...unseen];
      unseen = null;
      return [...changes, ...missing.flatMap((projectId) => remove(projectId))];
    },

    load(received, contentFor) {
      const known = byId.get(received.project_id);
      if (known === undefined || known.announced.version !== contentFor) return false;
      set(received.project_id, { ...known, content: configurationOf(received, known), contentFor });
      return true;
    },

    written(projectId, record, { version, previous_version }) {
      const known = byId.get(projectId);
      if (version === null || previous_version === null || known === undefined) return;
      const { announced, content, contentFor } = known;
      // A fetched configuration may be newer than what the feed has announced.
      const isAnnounced = announced.version === previous_version;
      const isFetched = content?.version === previous_version;
      if (!isAnnounced && !isFetched) return;
      const results = content?.results.map((one) => (one.id === record.id ? record : one)) ?? [];
      writtenAt.set(projectId, ++writes);
      set(projectId, {
        announced: isAnnounced ? { ...announced, version } : announced,
        content: isFetched ? { ...content, version, results } : content,
        contentFor,
      });
    },

    writes: () => writes,
    isOlder: ({ projects }, since) =>
      projects.some(({ project_id, version }) => {
        const isWritten = (writtenAt.get(project_id) ?? 0) > since;
        return isWritten && byId.get(project_id)?.announced.version !== version;
      }),

    isCurrent: ({ announced, content, contentFor }) =>
      content !== null && (announced.version === contentFor || announced.version === content.version),

    get: (id) => byId.get(typeof id === 'number' ? id : (idOf.get(id.replace(/^ext:/, '')) ?? 0)),
    all: () => [...byId.values()],
    changes: () => [...byId.values()].map(({ announced, content }) => changeOf(announced, content)),

    takeUnsaved() {
      const ids = [...unsaved];
      unsaved = new Set();
      return ids;
    },
    restore: set,
  };
}

function versionOf({ project_id, external_id, version, error }: FeedProject): ProjectVersion {
  return { project_id, external_id, version, error: error ?? null };
}

/** Keeps the last `results` if there are now too many to send. */
function configurationOf(received: FeedProject, known: KnownProject | undefined): ProjectConfiguration {
  return { ...versionOf(received), results: received.results ?? known?.content?.results ?? [] };
}

function isSame(one: ProjectVersion, other: ProjectVersion): boolean {
  return one.version === other.version && one.external_id === other.external_id && one.error === other.error;
}
