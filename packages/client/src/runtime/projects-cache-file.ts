import type { Cache } from './cache.ts';
import { encryptedFile, type FileOwner } from './encrypted-file.ts';
import type { FollowedProjects, KnownProject, KnownProjects } from './known-projects.ts';

/** A text in the file: projects, null for one that is gone, and the cursor of the feed after them. */
interface Part {
  /** Null if the next part belongs to the same state. */
  readonly cursor: string | null;
  readonly projects: readonly (readonly [projectId: number, known: KnownProject | null])[];
}

/** How many projects are encrypted at once when the file is replaced, so the process can do other work in between. */
const PART_PROJECTS = 10;
/** A file is replaced when the appended part is longer than the rest, and than this. */
const APPENDED_MIN = 1024 * 1024;

/**
 * A file with all projects. Changes are appended, which costs much less than storing all. A part that a kill has cut off is
 * ignored: the file then has the previous state with its cursor.
 */
export function projectsCacheFile(
  path: string,
  owner: FileOwner,
  projects: KnownProjects,
): Cache<FollowedProjects> {
  const file = encryptedFile(path, owner);
  let replacedLength = 0;
  let appendedLength = 0;

  const replace = async (cursor: string): Promise<void> => {
    replacedLength = appendedLength = 0;
    const all = projects.all();
    const parts = function* () {
      for (let start = 0; start === 0 || start < all.length; start += PART_PROJECTS) {
        const end = start + PART_PROJECTS;
        const some = all.slice(start, end).map((known) => [known.announced.project_id, known] as const);
        const text = JSON.stringify({ cursor: end >= all.length ? cursor : null, projects: some });
        replacedLength += text.length;
        yield text;
      }
    };
    await file.replace(parts());
  };

  return {
    async load() {
      const contents = await file.read();
      if (contents === null) return null;
      const parts = contents.texts.map((text) => JSON.parse(text) as Part);
      const last = parts.findLastIndex(({ cursor }) => cursor !== null);
      const version = parts[last]?.cursor ?? null;
      if (version === null) throw file.ignored('it is damaged');
      for (const part of parts.slice(0, last + 1))
        for (const [projectId, known] of part.projects) projects.restore(projectId, known);
      return { state: { version, isComplete: true, changes: [] }, ageMs: contents.ageMs };
    },

    async store({ version }) {
      const changed = projects.takeUnsaved().map((id) => [id, projects.get(id) ?? null] as const);
      const text = JSON.stringify({ cursor: version, projects: changed } satisfies Part);
      appendedLength += text.length;
      const isShort = appendedLength < Math.max(APPENDED_MIN, replacedLength);
      if (!isShort || !(await file.append(text))) await replace(version);
    },

    remove: file.remove,
  };
}
