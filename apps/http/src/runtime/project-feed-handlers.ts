import { createHash } from 'node:crypto';
import { externalIdIn } from '@plugin-config/contract';
import {
  cursorAfterPage,
  failedOver,
  FEED_PAGE_PROJECTS,
  feedCursorText,
  grantsProject,
  invalidInput,
  isVoid,
  NO_PROJECT,
  parseFeedCursor,
  parseShard,
  projectIdsOf,
  type ChangedProject,
  type ChangedProjects,
  type Family,
  type FeedCursor,
  type FeedFilter,
  type KeyGrant,
  type ReadOptions,
  type RuntimeConfigurations,
} from '@plugin-config/domain';
import { turns } from '@plugin-config/flow/node';
import { accessOf, leaveGate, withPermit } from '@plugin-config/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HandlersOf } from '../endpoints/handler.ts';
import { onTimeline, readOnTimeline } from '../responses/timeline.ts';
import { contentOfPage, NO_PROJECTS, sendPage, type PageContent } from './feed-page.ts';
import { queriedPlugins } from './queried-plugins.ts';
import { sharedContents } from './shared-contents.ts';
import type { Services } from '../services.ts';

/** How many pages are sent in one turn of the event loop. After a change, thousands may be due at once. */
const PAGES_PER_TURN = 4;

/** The request of a reader. */
interface Reader extends ReadOptions {
  readonly family: Family;
  readonly filter: FeedFilter;
  readonly start: FeedCursor;
}

export function projectFeedHandlers({
  feed,
  feedChanges,
  configurations,
  projects,
  plugins,
  waits,
}: Services): HandlersOf<'readFeed' | 'readFeedProjects'> {
  const contentOf = pageContents(configurations);
  const findShared = joined<ChangedProjects>();
  const turn = turns(PAGES_PER_TURN);

  /** Returns those of the projects that a key may learn of: one that is limited to plugins, those with their records. */
  const namedBy = async ({ pluginIds }: KeyGrant, ids: readonly number[]): Promise<readonly number[]> => {
    if (pluginIds.length === 0 || ids.length === 0) return ids;
    const { items } = await projects.list({ limit: ids.length, offset: 0 }, { ids, plugins: pluginIds });
    const named = new Set(items.map(({ id }) => id));
    return ids.filter((id) => named.has(id));
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
      if (timeline.ended.aborted) throw failedOver();
      const last = content.last ?? (found.isComplete ? null : (found.projects.at(-1)?.projectId ?? null));
      const gone = found.projects.filter(
        ({ lostBy, projectId }) =>
          lostBy !== null &&
          (last === null || projectId <= last) &&
          grantsProject({ projectIds: reader.filter.key.tokenProjectIds ?? [] }, projectId),
      );
      cursor = cursorAfterPage(cursor, found.at, last);
      const more = last !== null;
      const isNews = more || reset || gone.length > 0 || content.count > 0;
      if (isNews || signal === null || signal.aborted) return { cursor, more, reset, gone, content, isNews };
    }
  };

  return {
    readFeed: async ({ request, reply, family: { family }, query }) => {
      const { key, caller, timeline } = accessOf(request);
      const wanted = await queriedPlugins({ plugins }, key, query.plugin);
      const filter = { key, plugins: wanted, shard: shardOf(query.shard) };
      const reader = {
        family,
        filter,
        start: startOf(family, filter, caller),
        plugins: wanted,
        content: query.content,
      };
      const given = query.after === null ? null : readOnTimeline(timeline, query.after, parseFeedCursor);
      if (given === 'malformed') throw invalidInput('after', 'This is not a cursor of this feed.');
      const known =
        given !== null && given !== 'unknown' && given.reader === reader.start.reader ? given : null;
      leaveGate(request);
      let page = await nextPage(reply, reader, known ?? reader.start, null);
      if (query.wait !== null && known !== null && !page.isNews) {
        const { cursor } = page;
        page = await waits.during(reply, query.wait, (signal) => nextPage(reply, reader, cursor, signal));
      }
      const { cursor, more, gone, content } = page;
      await turn();
      await sendPage(reply, content.body, {
        cursor: onTimeline(timeline, feedCursorText(cursor)),
        more,
        reset: page.reset || (query.after !== null && known === null),
        gone: gone.map(({ projectId, externalId }) => ({ project_id: projectId, external_id: externalId })),
      });
    },

    readFeedProjects: async ({ request, reply, family: { family }, query, body }) => {
      const { key } = accessOf(request);
      const refs = [...new Set(body.projects)];
      const found = await projectIdsOf({ projects }, refs);
      const asked = refs.map((ref, i) => {
        const id = found[i] ?? NO_PROJECT;
        const projectId = id !== NO_PROJECT && grantsProject(key, id) ? id : null;
        const gone =
          typeof ref === 'string'
            ? { project_id: null, external_id: externalIdIn(ref) }
            : { project_id: ref, external_id: null };
        return { projectId, gone };
      });
      const ids = await namedBy(key, [...new Set(asked.flatMap(({ projectId }) => projectId ?? []))]);
      const options = { plugins: await queriedPlugins({ plugins }, key, query.plugin), content: true };
      const read = await configurations.ofProjects(family, ids, options);
      const { body: shown, last } = await contentOfPage(read.projects, read.last);
      const end = last === null ? ids.length : ids.indexOf(last) + 1;
      const existing = new Set([...read.projects.map(({ projectId }) => projectId), ...ids.slice(end)]);
      const gone = asked.filter(({ projectId }) => projectId === null || !existing.has(projectId));
      await sendPage(reply, shown, { more: last !== null, gone: gone.map((project) => project.gone) });
    },
  };
}

interface Page {
  readonly cursor: FeedCursor;
  readonly more: boolean;
  readonly reset: boolean;
  readonly gone: readonly ChangedProject[];
  readonly content: PageContent;
  /** False if the reader has all of it. */
  readonly isNews: boolean;
}

/** A cursor belongs to a caller and its filters, but not to `content`. */
function startOf(family: Family, { plugins, shard }: FeedFilter, caller: string): FeedCursor {
  const filters = JSON.stringify([caller, family, plugins.toSorted((a, b) => a - b), shard]);
  const reader = createHash('sha256').update(filters).digest('base64url').slice(0, 16);
  return { reader, shard, since: null, paging: null };
}

function shardOf(text: string | null): FeedFilter['shard'] {
  const shard = text === null ? null : parseShard(text, '/');
  if (text !== null && shard === null) {
    throw invalidInput('shard', 'The second number is 1 to 1024, and the first one is less.');
  }
  return shard;
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

/** Pages of the same projects in the same versions share one read. */
function pageContents(configurations: Pick<RuntimeConfigurations, 'ofProjects'>) {
  const share = sharedContents<PageContent>();

  return async (reply: FastifyReply, reader: Reader, found: ChangedProjects): Promise<PageContent> => {
    const { family, plugins, content } = reader;
    const wanted = found.projects.filter(({ lostBy }) => lostBy === null);
    if (wanted.length === 0) return NO_PROJECTS;
    const pageName = (registryVersion: number, versionOf: (project: ChangedProject) => number): string =>
      JSON.stringify([
        family,
        plugins,
        content,
        registryVersion,
        wanted.map((project) => [project.projectId, versionOf(project)]),
      ]);
    return share(reply, {
      name: pageName(found.at.registryVersion, ({ listVersion }) => listVersion),
      read: async () =>
        withPermit(reply.request, 'page', async () => {
          const ids = wanted.map(({ projectId }) => projectId);
          const { projects, last } = await configurations.ofProjects(family, ids, { plugins, content });
          const versions = new Map(projects.map(({ projectId, listVersion }) => [projectId, listVersion]));
          return {
            name: pageName(
              projects[0]?.registryVersion ?? found.at.registryVersion,
              (project) => versions.get(project.projectId) ?? project.listVersion,
            ),
            content: await contentOfPage(
              projects.filter(({ isConcerned }) => isConcerned),
              last,
            ),
          };
        }),
    });
  };
}
