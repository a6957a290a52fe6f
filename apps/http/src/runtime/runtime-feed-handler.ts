import { presenter, runtimeConfiguration } from '@plugin-config/contract';
import {
  cacheVersionOf,
  cursorAt,
  familyNumber,
  type FamilyFeeds,
  type FamilyRef,
  type RuntimeConfigurations,
  type RuntimeScope,
  type RuntimeVersion,
  type RuntimeVersions,
} from '@plugin-config/domain';
import { turns } from '@plugin-config/flow/node';
import {
  accessOf,
  jsonInSlices,
  leaveGate,
  reserveIfLarge,
  sendReservedJson,
  withPermit,
} from '@plugin-config/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { matchesTag } from '../responses/entity-tag.ts';
import type { HandlerOf } from '../endpoints/handler.ts';
import { sharedContents } from './shared-contents.ts';
import type { Services } from '../services.ts';

interface Content {
  readonly version: string;
  readonly body: Buffer;
}

/**
 * How many responses are sent in one turn of the event loop. After a change, thousands may be due at once. The fewer turns they take,
 * the more of the requests that follow share an access query.
 */
const RESPONSES_PER_TURN = { small: 64, large: 4 };
const SMALL_BYTES = 64 * 1024;
/** Above this size, reading and decrypting a family counts as `large` work. */
const PAGE_MAX_BYTES = 1024 * 1024;

/**
 * Sends a family with the values of its secrets, which are never cached. A poll that does not wait and finds no new version
 * is served from the cached version, before the gate.
 */
export function runtimeFeedHandler({
  configurations,
  versions,
  feeds,
  waits,
}: Services): HandlerOf<'retrieveRuntime'> {
  const contentOf = familyContents(configurations);
  const smallTurn = turns(RESPONSES_PER_TURN.small);
  const largeTurn = turns(RESPONSES_PER_TURN.large);
  return {
    respondFromCache: (request, reply, family) => {
      const version = versions(request).kept(scopeOf(request, family), accessOf(request));
      const { wait } = request.query as { readonly wait?: unknown };
      if (version === null || wait !== undefined || !isCurrent(request, version)) return false;
      sendUnchanged(reply, version);
      return true;
    },
    handle: async ({ request, reply, family, query }) => {
      const scope = scopeOf(request, family);
      let version = await versions(request).at(scope, accessOf(request));
      if (query.wait !== null && isCurrent(request, version) && !isAnyTag(request)) {
        const known = version;
        version = await waits.during(reply, query.wait, (signal) =>
          untilChanged({ feeds: feeds(request), versions: versions(request) }, request, {
            scope,
            known,
            signal,
          }),
        );
        // A key that was revoked during the wait must not get the new secrets.
        if (!isCurrent(request, version)) await accessOf(request).admitAgain();
      }
      if (isCurrent(request, version)) return sendUnchanged(reply, version);
      leaveGate(request);
      const content = await contentOf(reply, scope, version);
      await (content.body.length < SMALL_BYTES ? smallTurn() : largeTurn());
      reserveIfLarge(reply, content.body);
      sendReservedJson(reply.header('etag', tagOf(content)), content.body);
    },
  };
}

/** Returns the records that the key of a request can read. */
export function scopeOf(request: FastifyRequest, { projectId, family }: FamilyRef): RuntimeScope {
  return { projectId, family, plugins: accessOf(request).key.pluginIds };
}

interface Waiting {
  readonly scope: RuntimeScope;
  readonly known: RuntimeVersion;
  readonly signal: AbortSignal;
}

/** Resolves to the new version, or to the known one when the signal is aborted. */
async function untilChanged(
  { feeds, versions }: { readonly feeds: FamilyFeeds; readonly versions: RuntimeVersions },
  request: FastifyRequest,
  { scope, known, signal }: Waiting,
): Promise<RuntimeVersion> {
  const { registryVersion, familyVersion } = accessOf(request);
  const at = { registryVersion, familyVersion };
  for await (const page of feeds.after({ ...scope, ...at }, cursorAt(at), signal)) {
    const current = await versions.after(scope, page.cursor);
    if (current.version !== known.version) return current;
  }
  return known;
}

function isCurrent({ raw }: FastifyRequest, version: RuntimeVersion): boolean {
  const ifNoneMatch = raw.headers['if-none-match'];
  return ifNoneMatch !== undefined && matchesTag(ifNoneMatch, tagOf(version));
}

function isAnyTag({ raw }: FastifyRequest): boolean {
  return raw.headers['if-none-match']?.trim() === '*';
}

function sendUnchanged(reply: FastifyReply, version: RuntimeVersion): void {
  reply.code(304).header('etag', tagOf(version)).header('cache-control', 'no-store').send();
}

const tagOf = ({ version }: Pick<RuntimeVersion, 'version'>): string => `"${version}"`;

/** Responses at the same cache version share one read, which takes a separate permit. */
function familyContents(configurations: Pick<RuntimeConfigurations, 'read'>) {
  const share = sharedContents<Content>();
  return (reply: FastifyReply, scope: RuntimeScope, wanted: RuntimeVersion): Promise<Content> => {
    const owner = `${familyNumber(scope)} ${scope.plugins?.join()}`;
    const contentName = ({ version }: Pick<Content, 'version'>): string => `${owner} ${version}`;
    return share(reply, {
      name: contentName(wanted),
      readName: `${contentName(wanted)} ${cacheVersionOf(wanted)}`,
      read: async () => {
        const work = wanted.bytes > PAGE_MAX_BYTES ? 'large' : 'page';
        const content = await withPermit(reply.request, work, () => readContent(configurations, scope));
        return { name: contentName(content), content };
      },
    });
  };
}

const present = presenter(runtimeConfiguration);

async function readContent(
  configurations: Pick<RuntimeConfigurations, 'read'>,
  scope: RuntimeScope,
): Promise<Content> {
  const { version, records } = await configurations.read(scope);
  return { version, body: await jsonInSlices(present({ version, results: records })) };
}
