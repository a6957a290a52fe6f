import { cursorAt, familyCursorText, frontendView, notFound } from '@plugin-config/domain';
import { accessOf, sendRead } from '@plugin-config/server';
import type { FastifyRequest } from 'fastify';
import { sendCached } from '../responses/send-encoded.ts';
import { onProject } from '../responses/timeline.ts';
import type { HandlerOf } from '../endpoints/handler.ts';
import { presentRecord, recordResponse } from './present-record.ts';
import type { Services } from '../services.ts';

/** Sends one record, cached by its id. */
export function retrieveHandler({ records, responses }: Services): HandlerOf<'retrieveRecord'> {
  return {
    respondFromCache: (request, reply, family) => {
      const cached = responses(request).get(family, idOf(request), accessOf(request));
      if (cached === undefined) return false;
      return sendCached(request, reply, cached, { responses: responses(request), family }) ?? true;
    },
    handle: async ({ request, reply, family }) => {
      const id = idOf(request);
      const cache = responses(request);
      const response = await cache.load(family, id, accessOf(request), async () => {
        const { value: record, managedBy, isInvalid, ...at } = await records.find({ ...family, id });
        if (record === null) throw notFound();
        const { timeline } = accessOf(request);
        const familyCursor = onProject(timeline, family.projectId, familyCursorText(cursorAt(at)));
        const { schemaVersion, pinnedVersion } = record;
        const headers = { managedBy, isInvalid, familyCursor, schemaVersion, pinnedVersion };
        return { ...at, value: { ...recordResponse(request, record), ...headers } };
      });
      await sendCached(request, reply, response, { responses: cache, family });
    },
  };
}

/** Sends the parts of a record that a browser may see. */
export function frontendHandler({ plugins }: Services): HandlerOf<'retrieveFrontend'> {
  return async ({ reply, record }) =>
    sendRead(reply, presentRecord(frontendView(record, await plugins.registrationOf(record))));
}

function idOf(request: FastifyRequest): number {
  const { recordId } = accessOf(request);
  if (recordId === null) throw notFound();
  return recordId;
}
