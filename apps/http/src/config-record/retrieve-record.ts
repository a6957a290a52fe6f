import { recordNotFound, type ConfigRecordStore, type Family } from '@plugin-config/domain';
import { type PathParams, accessOf, pathId } from '@plugin-config/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AnswerCache } from '../answers/answer-cache.ts';
import { sendAnswer } from '../answers/send-answer.ts';
import { recordAnswer } from './present-record.ts';

interface Dependencies {
  readonly records: ConfigRecordStore;
  readonly answers: AnswerCache;
}

export function retrieveRecord({ records, answers }: Dependencies, family: Family) {
  return (request: FastifyRequest, reply: FastifyReply): void | Promise<void> => {
    const { projectId, revision } = accessOf(request);
    const id = pathId((request.params as PathParams).id ?? '');
    if (id === null) throw recordNotFound();
    const kept = answers.get({ projectId, family }, id, revision);
    if (kept !== undefined) return sendAnswer(request, reply, kept);
    const reading = answers.load({ projectId, family }, id, revision, async () => {
      const found = await records.find({ projectId, family, id });
      if (found.value === null) throw recordNotFound();
      return { revision: found.revision, value: recordAnswer(found.value) };
    });
    return reading.then((answer) => sendAnswer(request, reply, answer));
  };
}
