import type { RecordListQuery, WireConfigRecordPage } from '@plugin-config/contract';
import {
  cursorAt,
  DomainError,
  familyCursorText,
  hasReached,
  parseFamilyCursor,
  type ReachedVersion,
  type ChangedPage,
  type ConfigRecordStore,
  type FamilyCursor,
  type FamilyRef,
  type PageRequest,
} from '@plugin-config/domain';
import type { Timeline } from '@plugin-config/persistence';
import { accessOf } from '@plugin-config/server';
import type { FastifyRequest } from 'fastify';
import { familyTagName } from '../responses/entity-tag.ts';
import { onProject, readOnProject } from '../responses/timeline.ts';
import { sendCached } from '../responses/send-encoded.ts';
import type { HandlerOf } from '../endpoints/handler.ts';
import {
  cursorLinks,
  listAddress,
  pageLinks,
  type ListAddress,
  type PageLinks,
} from '../responses/page-links.ts';
import { taggedResponse } from '../responses/send-response.ts';
import { presentRecord } from './present-record.ts';
import type { Services } from '../services.ts';

/** Sends lists. They are cached by the raw URL (and the host, if they have links), so a hit parses nothing. */
export function listHandler({ records, responses, baseUrl }: Services): HandlerOf<'listRecords'> {
  const forHost = (request: FastifyRequest): string => `${request.url} ${baseUrl(request)}`;
  return {
    respondFromCache: (request, reply, family) => {
      const [cache, at] = [responses(request), accessOf(request)];
      const cached = cache.get(family, request.url, at) ?? cache.get(family, forHost(request), at);
      if (cached === undefined) return false;
      return sendCached(request, reply, cached, { responses: cache, family }) ?? true;
    },
    handle: async ({ request, reply, family, query }) => {
      const key = forHost(request);
      const address = listAddress(baseUrl, request);
      const cache = responses(request);
      const { timeline } = accessOf(request);
      const response = await cache.load(family, key, accessOf(request), async () => {
        const dependencies = { records, address, timeline };
        const { at, listVersion, shown, cursor } = await readList(dependencies, family, query);
        const tagged = taggedResponse(familyTagName(request, family), listVersion, shown);
        const hasLinks = shown.next !== null || shown.previous !== null;
        const familyCursor = onProject(timeline, family.projectId, familyCursorText(cursor));
        const value = { ...tagged, familyCursor };
        return { ...at, value, storeKey: hasLinks ? key : request.url };
      });
      await sendCached(request, reply, response, { responses: cache, family });
    },
  };
}

interface ReadList {
  readonly at: ReachedVersion;
  readonly listVersion: number;
  readonly shown: WireConfigRecordPage;
  /** The cursor after the list. */
  readonly cursor: FamilyCursor;
}

interface Listing {
  readonly records: Pick<ConfigRecordStore, 'list' | 'listChanged'>;
  readonly address: ListAddress;
  readonly timeline: Timeline;
}

/** Reads the requested page of all records, or of the changed records. */
async function readList(
  dependencies: Listing,
  family: FamilyRef,
  { limit, offset, changed_since: since, ...filter }: RecordListQuery,
): Promise<ReadList> {
  const { records, address } = dependencies;
  const page = { limit, offset };
  if (since !== null) return readChanged(dependencies, family, { since, filter, page });
  const listed = await records.list(family, { ...filter, deleted: filter.deleted ?? false }, page);
  const { value } = listed;
  const shown = pageOf(value, pageLinks(address, page, value));
  return { at: listed, listVersion: value.listVersion, shown, cursor: cursorAt(listed) };
}

interface ChangedRequest {
  readonly since: string;
  readonly filter: Omit<RecordListQuery, 'limit' | 'offset' | 'changed_since'>;
  readonly page: PageRequest;
}

async function readChanged(
  { records, address, timeline }: Listing,
  family: FamilyRef,
  { since: text, filter, page }: ChangedRequest,
): Promise<ReadList> {
  const since = readOnProject(timeline, family.projectId, text, parseFamilyCursor);
  if (typeof since === 'string') throw unknownVersion();
  const changed = await records.listChanged(family, since, filter, page);
  if (!hasReached(changed, since) || changed.value.isCursorInvalid) throw unknownVersion();
  const { value } = changed;
  const cursor = { ...cursorAt(changed), ...value.end };
  const isLast = page.offset + value.items.length >= value.count;
  const end = onProject(timeline, family.projectId, familyCursorText(cursor));
  const next = isLast || value.items.length === 0 ? null : end;
  const shown = pageOf(value, cursorLinks(address, 'changed_since', page, next));
  return { at: changed, listVersion: value.listVersion, shown, cursor };
}

function pageOf(
  { count, items }: Pick<ChangedPage, 'count' | 'items'>,
  links: PageLinks,
): WireConfigRecordPage {
  return { count, ...links, results: items.map(presentRecord) };
}

/**
 * A failover or a restored backup may have removed records that the caller has. Registering or removing a plugin may have changed how
 * records are shown.
 */
function unknownVersion(): DomainError {
  const detail =
    'The changes since this version are unknown: a plugin has changed, or the family of this project never had this version. Read the whole list, without changed_since.';
  return new DomainError('invalid_input', detail, { attr: 'changed_since' });
}
