import type { WireConfigRecordPage } from '@plugin-config/contract';
import type { ConfigRecordStore, Family, RecordPage } from '@plugin-config/domain';
import { accessOf, pathOf } from '@plugin-config/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressedFamily } from '../access/addressed.ts';
import type { AnswerCache } from '../answers/answer-cache.ts';
import { pageLinks, type ListAddress } from '../answers/page-links.ts';
import { sendAnswer, type Answer } from '../answers/send-answer.ts';
import type { Origin } from '../requests/origin.ts';
import { presentRecord, taggedAnswer } from './present-record.ts';
import { recordListRequests, type RecordListRequest } from './record-list-request.ts';

interface Dependencies {
  readonly records: ConfigRecordStore;
  readonly answers: AnswerCache;
  readonly origin: Origin;
}

export function listRecords({ records, answers, origin }: Dependencies, family: Family) {
  const readRequest = recordListRequests();
  return (request: FastifyRequest, reply: FastifyReply): void | Promise<void> => {
    const { projectId, revision } = accessOf(request);
    const asked = readRequest(request);
    const address = { base: origin(request) + pathOf(request.url), parameters: asked.parameters };
    const key = `${projectId} ${asked.page.limit} ${asked.page.offset} ${address.base}?${address.parameters}`;
    const kept = answers.get(key, revision);
    if (kept !== undefined) return sendAnswer(request, reply, kept);
    const reading = answers.load(key, revision, async () => {
      const found = await records.list(addressedFamily(request, family), asked.filter, asked.page);
      return { revision: found.revision, value: pageAnswer(found.value, asked, address) };
    });
    return reading.then((answer) => sendAnswer(request, reply, answer));
  };
}

function pageAnswer(found: RecordPage, { page }: RecordListRequest, address: ListAddress): Answer {
  const body: WireConfigRecordPage = {
    count: found.count,
    ...pageLinks(address, page, found),
    results: found.items.map(presentRecord),
  };
  return taggedAnswer(found.familyVersion, body);
}
