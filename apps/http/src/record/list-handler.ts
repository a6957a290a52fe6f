import type { recordEndpoints, WireConfigRecordPage } from '@plugin-config/contract';
import type { ConfigRecordStore, PageRequest, RecordPage } from '@plugin-config/domain';
import { accessOf } from '@plugin-config/server';
import type { FastifyRequest } from 'fastify';
import type { AnswerCache } from '../answers/answer-cache.ts';
import { familyTagName } from '../answers/entity-tag.ts';
import { pageLinks, type ListAddress } from '../answers/page-links.ts';
import { sendCached } from '../answers/send-cached.ts';
import type { Handler } from '../endpoints/handler.ts';
import { listAddress } from '../requests/list-address.ts';
import type { BaseUrl } from '../requests/base-url.ts';
import { presentRecord, taggedAnswer } from './present-record.ts';

export interface ReadDependencies {
  readonly records: ConfigRecordStore;
  readonly answers: AnswerCache;
  readonly baseUrl: BaseUrl;
}

/**
 * Answers lists, cached by the raw URL, so that a hit parses nothing. If the answer has links, the key includes the host,
 * with which the links begin.
 */
export function listHandler({
  records,
  answers,
  baseUrl,
}: ReadDependencies): Handler<(typeof recordEndpoints)['listRecords']> {
  const forHost = (request: FastifyRequest): string => `${request.url} ${baseUrl(request)}`;
  return {
    fromMemory: (request, reply, family) => {
      const { revision } = accessOf(request);
      const cached =
        answers.get(family, request.url, revision) ?? answers.get(family, forHost(request), revision);
      if (cached === undefined) return false;
      return sendCached(request, reply, cached, { answers, family }) ?? true;
    },
    handle: async ({ request, reply, family, query: { limit, offset, ...filter } }) => {
      const page = { limit, offset };
      const key = forHost(request);
      const address = listAddress(baseUrl, request);
      const answer = await answers.load(family, key, accessOf(request).revision, async () => {
        const { revision, value: found } = await records.list(family, filter, page);
        const shown = pageOf(found, page, address);
        const value = taggedAnswer(familyTagName(family), found.familyVersion, shown);
        const hasLinks = shown.next !== null || shown.previous !== null;
        return { revision, value, storeKey: hasLinks ? key : request.url };
      });
      await sendCached(request, reply, answer, { answers, family });
    },
  };
}

function pageOf(found: RecordPage, page: PageRequest, address: ListAddress): WireConfigRecordPage {
  return {
    count: found.count,
    ...pageLinks(address, page, found),
    results: found.items.map(presentRecord),
  };
}
