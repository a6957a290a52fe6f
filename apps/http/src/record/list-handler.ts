import type { recordEndpoints } from '@plugin-config/contract';
import { familyCursorText, type ConfigRecordStore } from '@plugin-config/domain';
import { accessOf } from '@plugin-config/server';
import type { FastifyRequest } from 'fastify';
import type { AnswerCache } from '../answers/answer-cache.ts';
import { familyTagName } from '../answers/entity-tag.ts';
import { sendCached } from '../answers/send-encoded.ts';
import type { Handler } from '../endpoints/handler.ts';
import { listAddress } from '../answers/page-links.ts';
import type { BaseUrl } from '../requests/base-url.ts';
import { taggedAnswer } from './present-record.ts';
import { readList } from './read-list.ts';

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
      const { cacheVersion } = accessOf(request);
      const cached =
        answers.get(family, request.url, cacheVersion) ?? answers.get(family, forHost(request), cacheVersion);
      if (cached === undefined) return false;
      return sendCached(request, reply, cached, { answers, family }) ?? true;
    },
    handle: async ({ request, reply, family, query }) => {
      const key = forHost(request);
      const address = listAddress(baseUrl, request);
      const { timelineId, cacheVersion: needed } = accessOf(request);
      const answer = await answers.load(family, key, needed, async () => {
        const of = { ...family, timelineId };
        const { cacheVersion, listVersion, shown, cursor } = await readList(records, of, query, address);
        const tagged = taggedAnswer(familyTagName(family, cursor.timelineId), listVersion, shown);
        const hasLinks = shown.next !== null || shown.previous !== null;
        const value = { ...tagged, familyCursor: familyCursorText(cursor) };
        return { cacheVersion, value, storeKey: hasLinks ? key : request.url };
      });
      await sendCached(request, reply, answer, { answers, family });
    },
  };
}
