import type { recordEndpoints } from '@plugin-config/contract';
import { familyCursorText, type ConfigRecordStore } from '@plugin-config/domain';
import { accessOf } from '@plugin-config/server';
import type { FastifyRequest } from 'fastify';
import type { ResponseCache } from '../responses/response-cache.ts';
import { familyTagName } from '../responses/entity-tag.ts';
import { sendCached } from '../responses/send-encoded.ts';
import type { Handler } from '../endpoints/handler.ts';
import { listAddress } from '../responses/page-links.ts';
import type { BaseUrl } from '../requests/base-url.ts';
import { taggedResponse } from '../responses/send-response.ts';
import { readList } from './read-list.ts';

export interface ReadDependencies {
  readonly records: ConfigRecordStore;
  readonly responses: ResponseCache;
  readonly baseUrl: BaseUrl;
}

/** Sends lists. They are cached by the raw URL (and the host, if they have links), so a hit parses nothing. */
export function listHandler({
  records,
  responses,
  baseUrl,
}: ReadDependencies): Handler<(typeof recordEndpoints)['listRecords']> {
  const forHost = (request: FastifyRequest): string => `${request.url} ${baseUrl(request)}`;
  return {
    respondFromCache: (request, reply, family) => {
      const { cacheVersion } = accessOf(request);
      const cached =
        responses.get(family, request.url, cacheVersion) ??
        responses.get(family, forHost(request), cacheVersion);
      if (cached === undefined) return false;
      return sendCached(request, reply, cached, { responses, family }) ?? true;
    },
    handle: async ({ request, reply, family, query }) => {
      const key = forHost(request);
      const address = listAddress(baseUrl, request);
      const { timelineId, cacheVersion: needed } = accessOf(request);
      const response = await responses.load(family, key, needed, async () => {
        const of = { ...family, timelineId };
        const { cacheVersion, listVersion, shown, cursor } = await readList(records, of, query, address);
        const tagged = taggedResponse(familyTagName(family, cursor.timelineId), listVersion, shown);
        const hasLinks = shown.next !== null || shown.previous !== null;
        const value = { ...tagged, familyCursor: familyCursorText(cursor) };
        return { cacheVersion, value, storeKey: hasLinks ? key : request.url };
      });
      await sendCached(request, reply, response, { responses, family });
    },
  };
}
