import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { externalIdIn, feedProject, presenter, type runtimeEndpoints } from '@plugin-config/contract';
import {
  cursorAfterPage,
  DomainError,
  FEED_PAGE_BYTES,
  FEED_PAGE_PROJECTS,
  feedCursorText,
  filteredPluginId,
  grantsProject,
  invalidInput,
  isVoid,
  parseFeedCursor,
  parseShard,
  pluginsWithin,
  SLUG_PREFIX,
  type ChangedProject,
  type ChangedProjects,
  type Family,
  type FeedChanges,
  type FeedCursor,
  type FeedFilter,
  type PluginRef,
  type PluginStore,
  type ProjectConfiguration,
  type ProjectFeed,
  type ProjectStore,
  type ReadOptions,
  type RuntimeConfigurations,
} from '@plugin-config/domain';
import { readingPauses, turns } from '@plugin-config/flow/node';
import {
  accessOf,
  JSON_UTF8,
  jsonInSlices,
  leaveGate,
  reserveIfLarge,
  sendReservedJson,
  withPermit,
} from '@plugin-config/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Handlers } from '../endpoints/handler.ts';
import { onTimeline, readOnTimeline } from '../responses/timeline.ts';
import type { RuntimeWaits } from './runtime-waits.ts';

export interface ProjectFeedDependencies {
  readonly feed: ProjectFeed;
  readonly feedChanges: (request: FastifyRequest) => Readonly<Record<Family, FeedChanges>>;
  readonly configurations: RuntimeConfigurations;
  readonly projects: Pick<ProjectStore, 'idsOf'>;
  readonly plugins: Pick<PluginStore, 'idsOf'>;
  readonly waits: RuntimeWaits;
}

type Endpoints = Pick<typeof runtimeEndpoints, 'readFeed' | 'readFeedProjects'>;

/** Smaller bodies are copied into one piece. */
const SHARED_BYTES = 64 * 1024;
/** How many pages are sent in one turn of the event loop. After a change, thousands may be due at once. */
const PAGES_PER_TURN = 4;

/** The request of a reader. */
interface Reader extends ReadOptions {
  readonly family: Family;
  readonly filter: FeedFilter;
  readonly start: FeedCursor;
}

/** The handlers of the feed of all projects. */
export function projectFeedHandlers({
  feed,
  feedChanges,
  configurations,
  projects,
  plugins,
  waits,
}: ProjectFeedDependencies): Handlers<Endpoints> {
  const contentOf = sharedContents(configurations);
  const findShared = joined<ChangedProjects>();
  const turn = turns(PAGES_PER_TURN);

  /** Returns the ids of plugins. An unknown plugin has no records. */
  const pluginsOf = async (refs: readonly string[]): Promise<readonly number[]> => {
    const ids = refs.map((ref) =>
      filteredPluginId({ plugins }, ref.startsWith(SLUG_PREFIX) ? (ref as PluginRef) : Number(ref)),
    );
    return [...new Set((await Promise.all(ids)).flatMap((id) => id ?? []))];
  };

  /** Finds the projects of the next page. A reader that has seen everything up to now may wait. */
  const find = async (
    request: FastifyRequest,
    { family, filter }: Reader,
    { since, paging }: FeedCursor,
    signal: AbortSignal | null,
  ): Promise<ChangedProjects> => {
    if (since !== null && paging === null) {
      const waiting = {
        since,
        filter,
        waits: signal !== null,
        signal: signal ?? new AbortController().signal,
      };
      const found = await feedChanges(request)[family].after(waiting);
      if (found !== null) return found;
    }
    const query = { family, filter, after: paging?.after ?? 0, limit: FEED_PAGE_PROJECTS };
    // Keys that can access all projects share a statement.
    const key = filter.key.projectIds.length === 0 ? { ...filter.key, id: 0 } : filter.key;
    const shared = { ...query, filter: { ...filter, key } };
    return findShared(request, JSON.stringify([since, shared]), () =>
      since === null ? feed.all(shared) : feed.since(since, shared),
    );
  };

  /** Reads pages from a cursor on, until one has a change, or the time of the reader is up. */
  const nextPage = async (
    reply: FastifyReply,
    reader: Reader,
    from: FeedCursor,
    signal: AbortSignal | null,
  ): Promise<Page> => {
    const { request } = reply;
    const { admitAgain, timeline } = accessOf(request);
    let cursor = from;
    let reset = false;
    for (;;) {
      const found = await find(request, reader, cursor, signal);
      const seen = cursor.paging?.next ?? cursor.since;
      if (seen !== null && isVoid(seen, found.at)) {
        cursor = reader.start;
        reset = true;
        continue;
      }
      const isEmpty = found.projects.length === 0;
      // A key that was revoked during the wait must not get the new secrets.
      if (signal !== null && !isEmpty) await admitAgain();
      const content = await contentOf(reply, reader, found);
      // The new primary may lack changes that the reader already has.
      if (timeline.ended.aborted) throw movedOn();
      const last = content.last ?? (found.isComplete ? null : (found.projects.at(-1)?.projectId ?? null));
      const gone = found.projects.filter(
        ({ lostBy, projectId }) => lostBy !== null && (last === null || projectId <= last),
      );
      cursor = cursorAfterPage(cursor, found.at, last);
      const page = { cursor, more: last !== null, reset, gone, content };
      const isNews = page.more || reset || gone.length > 0 || content.count > 0;
      if (isNews || signal === null || signal.aborted) return page;
    }
  };

  return {
    readFeed: async ({ request, reply, family: { family }, query }) => {
      const { key, timeline } = accessOf(request);
      const wanted = pluginsWithin(key, await pluginsOf(query.plugin));
      const filter = { key, plugins: wanted, shard: shardOf(query.shard) };
      const reader = {
        family,
        filter,
        ...startOf(family, filter),
        plugins: filter.plugins,
        content: query.content,
      };
      const given = query.after === null ? null : readOnTimeline(timeline, query.after, parseFeedCursor);
      if (given === 'malformed') throw invalidInput('after', 'This is not a cursor of this feed.');
      const known =
        given !== null && given !== 'unknown' && given.reader === reader.start.reader ? given : null;
      leaveGate(request);
      let page = await nextPage(reply, reader, known ?? reader.start, null);
      const isEmpty = !page.more && !page.reset && page.gone.length === 0 && page.content.count === 0;
      if (query.wait !== null && known !== null && isEmpty) {
        const { cursor } = page;
        page = await waits.during(reply, query.wait, (signal) => nextPage(reply, reader, cursor, signal));
      }
      const { cursor, more, gone, content } = page;
      await turn();
      await send(reply, content.body, {
        cursor: onTimeline(timeline, feedCursorText(cursor)),
        more,
        reset: page.reset || (query.after !== null && known === null),
        gone: gone.map(({ projectId, externalId }) => ({ project_id: projectId, external_id: externalId })),
      });
    },

    readFeedProjects: async ({ request, reply, family: { family }, query, body }) => {
      const { key } = accessOf(request);
      const refs = [...new Set(body.projects)];
      const externalIds = refs.flatMap((ref) => (typeof ref === 'string' ? (externalIdIn(ref) ?? []) : []));
      const found = externalIds.length === 0 ? new Map<string, number>() : await projects.idsOf(externalIds);
      const asked = refs.map((ref) => {
        const externalId = typeof ref === 'string' ? externalIdIn(ref) : null;
        const id = typeof ref === 'string' ? found.get(externalId ?? '') : ref;
        const projectId = id !== undefined && grantsProject(key, id) ? id : null;
        return {
          projectId,
          gone: { project_id: typeof ref === 'string' ? null : ref, external_id: externalId },
        };
      });
      const ids = [...new Set(asked.flatMap(({ projectId }) => projectId ?? []))];
      const options = { plugins: pluginsWithin(key, await pluginsOf(query.plugin)), content: true };
      const read = await configurations.ofProjects(family, ids, options);
      const { body: shown, last } = await bodyOf(read.projects, read.last);
      const end = last === null ? ids.length : ids.indexOf(last) + 1;
      const existing = new Set([...read.projects.map(({ projectId }) => projectId), ...ids.slice(end)]);
      const gone = asked.filter(({ projectId }) => projectId === null || !existing.has(projectId));
      await send(reply, shown, { more: last !== null, gone: gone.map((project) => project.gone) });
    },
  };
}

interface Page {
  readonly cursor: FeedCursor;
  readonly more: boolean;
  readonly reset: boolean;
  readonly gone: readonly ChangedProject[];
  readonly content: Content;
}

/** The JSON of the projects of a page. */
interface Content {
  readonly body: Buffer;
  readonly count: number;
  /** The last project, if there was no room for all; null if there was. */
  readonly last: number | null;
}

const NOTHING: Content = { body: Buffer.from('[]'), count: 0, last: null };

/** A cursor belongs to a key and its filters, but not to `content`. */
function startOf(family: Family, { key, plugins, shard }: FeedFilter): Pick<Reader, 'start'> {
  const filters = JSON.stringify([key.id, family, plugins.toSorted((a, b) => a - b), shard]);
  const reader = createHash('sha256').update(filters).digest('base64url').slice(0, 16);
  return { start: { reader, shard, since: null, paging: null } };
}

function shardOf(text: string | null): FeedFilter['shard'] {
  const shard = text === null ? null : parseShard(text, '/');
  if (text !== null && shard === null) {
    throw invalidInput('shard', 'The second number is 1 to 1024, and the first one is less.');
  }
  return shard;
}

function movedOn(): DomainError {
  return new DomainError('unavailable', 'The database has failed over. Try again.', { retryAfterSeconds: 1 });
}

/**
 * Returns a function that runs a read under a permit for a page. Requests with the same name join a read that has not been sent
 * yet, so none gets a state older than the request.
 */
function joined<T>() {
  const joinable = new Map<string, Promise<T>>();
  return (request: FastifyRequest, name: string, read: () => Promise<T>): Promise<T> => {
    const started =
      joinable.get(name) ??
      withPermit(request, 'page', async () => {
        await Promise.resolve();
        joinable.delete(name);
        return read();
      }).finally(() => {
        if (joinable.get(name) === started) joinable.delete(name);
      });
    joinable.set(name, started);
    return started;
  };
}

/**
 * Pages of the same projects in the same versions share one read, whose bytes are kept until the last one is sent, under the versions
 * that the read found: they may be later than the requested versions.
 */
function sharedContents(configurations: Pick<RuntimeConfigurations, 'ofProjects'>) {
  const reading = new Map<string, Promise<Named>>();
  const unsent = new Map<string, { readonly content: Content; responses: number }>();

  return async ({ request, raw }: FastifyReply, reader: Reader, found: ChangedProjects): Promise<Content> => {
    const { family, plugins, content: withContent } = reader;
    const wanted = found.projects.filter(({ lostBy }) => lostBy === null);
    if (wanted.length === 0) return NOTHING;
    const pageName = (registryVersion: number, versionOf: (project: ChangedProject) => number): string =>
      JSON.stringify([
        family,
        plugins,
        withContent,
        registryVersion,
        wanted.map((project) => [project.projectId, versionOf(project)]),
      ]);
    const read = async (): Promise<Named> => {
      const ids = wanted.map(({ projectId }) => projectId);
      const { projects, last } = await configurations.ofProjects(family, ids, {
        plugins,
        content: withContent,
      });
      const content = await bodyOf(
        projects.filter(({ isConcerned }) => isConcerned),
        last,
      );
      const versions = new Map(projects.map(({ projectId, listVersion }) => [projectId, listVersion]));
      const registryVersion = projects[0]?.registryVersion ?? found.at.registryVersion;
      const name = pageName(
        registryVersion,
        (project) => versions.get(project.projectId) ?? project.listVersion,
      );
      return { name, content };
    };
    const name = pageName(found.at.registryVersion, ({ listVersion }) => listVersion);
    const kept = unsent.get(name);
    const started =
      kept === undefined
        ? (reading.get(name) ?? withPermit(request, 'page', read).finally(() => reading.delete(name)))
        : null;
    if (started !== null) reading.set(name, started);
    const current = started === null ? null : await started;
    const shared = kept ??
      unsent.get(current?.name ?? '') ?? { content: current?.content ?? NOTHING, responses: 0 };
    if (raw.destroyed || shared.content.count === 0) return shared.content;
    unsent.set(current?.name ?? name, shared);
    shared.responses++;
    raw.once('close', () => {
      if (--shared.responses === 0) unsent.delete(current?.name ?? name);
    });
    return shared.content;
  };
}

interface Named {
  readonly name: string;
  readonly content: Content;
}

const presentProject = presenter(feedProject);

/** Serialises as many projects as fit, and at least one. */
async function bodyOf(projects: readonly ProjectConfiguration[], last: number | null): Promise<Content> {
  const pauseAfter = readingPauses();
  const pieces: Buffer[] = [];
  let bytes = 0;
  let count = 0;
  let end = last;
  for (const { records, version, ...project } of projects) {
    const body = await jsonInSlices(
      presentProject({
        ...project,
        version,
        results: records ?? undefined,
        error: version === null ? 'too_large' : undefined,
      }),
    );
    if (count > 0 && bytes + body.length > FEED_PAGE_BYTES) break;
    pieces.push(Buffer.from(count === 0 ? '[' : ','), body);
    bytes += body.length;
    count++;
    await pauseAfter(body.length);
  }
  if (count === 0) return { ...NOTHING, last };
  if (count < projects.length) end = projects[count - 1]?.projectId ?? last;
  return { body: Buffer.concat([...pieces, Buffer.from(']')]), count, last: end };
}

/** Sends a response whose `projects` have been serialised. Responses share these bytes. */
async function send(reply: FastifyReply, projects: Buffer, fields: object): Promise<void> {
  const head = Buffer.from(`${JSON.stringify(fields).slice(0, -1)},"projects":`);
  const pieces = [head, projects, Buffer.from('}')];
  if (projects.length < SHARED_BYTES) return sendReservedJson(reply, Buffer.concat(pieces));
  reserveIfLarge(reply, projects);
  if (reply.raw.destroyed) return;
  const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
  const closed = once(reply.raw, 'close');
  reply
    .header('cache-control', 'no-store')
    .header('content-type', JSON_UTF8)
    .header('content-length', bytes)
    .send(Readable.from(pieces));
  // A handler that ends before its stream would send an empty body.
  await closed;
}
