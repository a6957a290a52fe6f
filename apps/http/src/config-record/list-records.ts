import { recordListQuery, type WireConfigRecordPage } from '@plugin-config/contract';
import type { ConfigRecordStore, Family, PageRequest, RecordPage } from '@plugin-config/domain';
import { accessOf } from '@plugin-config/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AnswerCache } from '../answers/answer-cache.ts';
import { familyName } from '../answers/entity-tag.ts';
import { pageLinks, type ListAddress } from '../answers/page-links.ts';
import { sendAnswer } from '../answers/send-answer.ts';
import { checked } from '../requests/checked.ts';
import { listAddress } from '../requests/list-address.ts';
import type { Origin } from '../requests/origin.ts';
import { presentRecord, taggedAnswer } from './present-record.ts';

interface Dependencies {
  readonly records: ConfigRecordStore;
  readonly answers: AnswerCache;
  readonly origin: Origin;
}

/**
 * Kept by the address as it was asked for, before anybody looks at what it means; with the host where the answer has
 * links, since these begin with it.
 */
export function listRecords({ records, answers, origin }: Dependencies, family: Family) {
  return (request: FastifyRequest, reply: FastifyReply): void | Promise<void> => {
    const { projectId, revision } = accessOf(request);
    const about = { projectId, family };
    const forAll = request.url;
    const forHost = (): string => `${forAll} ${origin(request)}`;
    const kept = answers.get(about, forAll, revision) ?? answers.get(about, forHost(), revision);
    if (kept !== undefined) return sendAnswer(request, reply, kept);
    const { limit, offset, ...filter } = checked(recordListQuery, request.query);
    const page = { limit, offset };
    const address = listAddress(origin, request);
    const reading = answers.load(about, forHost(), revision, async () => {
      const found = await records.list(about, filter, page);
      const shown = pageOf(found.value, page, address);
      return {
        revision: found.revision,
        value: taggedAnswer(familyName(about), found.value.familyVersion, shown),
        key: shown.next === null && shown.previous === null ? forAll : forHost(),
      };
    });
    return reading.then((answer) => sendAnswer(request, reply, answer));
  };
}

function pageOf(found: RecordPage, page: PageRequest, address: ListAddress): WireConfigRecordPage {
  return {
    count: found.count,
    ...pageLinks(address, page, found),
    results: found.items.map(presentRecord),
  };
}
