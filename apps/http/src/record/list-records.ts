import type { recordEndpoints, WireConfigRecordPage } from '@plugin-config/contract';
import type { ConfigRecordStore, PageRequest, RecordPage } from '@plugin-config/domain';
import { accessOf } from '@plugin-config/server';
import type { FastifyRequest } from 'fastify';
import type { AnswerCache } from '../answers/answer-cache.ts';
import { familyName } from '../answers/entity-tag.ts';
import { pageLinks, type ListAddress } from '../answers/page-links.ts';
import { sendAnswer } from '../answers/send-answer.ts';
import type { Handler } from '../endpoints/handler.ts';
import { listAddress } from '../requests/list-address.ts';
import type { Origin } from '../requests/origin.ts';
import { presentRecord, taggedAnswer } from './present-record.ts';

export interface RecordReading {
  readonly records: ConfigRecordStore;
  readonly answers: AnswerCache;
  readonly origin: Origin;
}

/**
 * Kept by the address as it was asked for, before anybody looks at what it means; with the host where the answer has
 * links, since these begin with it.
 */
export function listHandler({
  records,
  answers,
  origin,
}: RecordReading): Handler<(typeof recordEndpoints)['listRecords']> {
  const forHost = (request: FastifyRequest): string => `${request.url} ${origin(request)}`;
  return {
    fromMemory: (request, reply, family) => {
      const { revision } = accessOf(request);
      const kept =
        answers.get(family, request.url, revision) ?? answers.get(family, forHost(request), revision);
      if (kept === undefined) return false;
      sendAnswer(request, reply, kept);
      return true;
    },
    handle: async ({ request, reply, family, query: { limit, offset, ...filter } }) => {
      const page = { limit, offset };
      const key = forHost(request);
      const address = listAddress(origin, request);
      const answer = await answers.load(family, key, accessOf(request).revision, async () => {
        const { revision, value: found } = await records.list(family, filter, page);
        const shown = pageOf(found, page, address);
        const value = taggedAnswer(familyName(family), found.familyVersion, shown);
        const hasLinks = shown.next !== null || shown.previous !== null;
        return { revision, value, key: hasLinks ? key : request.url };
      });
      sendAnswer(request, reply, answer);
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
