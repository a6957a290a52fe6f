import {
  presenter,
  revision,
  type revisionEndpoints,
  type WireRestoredRecord,
} from '@plugin-config/contract';
import {
  CONFIGURATION_MAX_BYTES,
  notFound,
  restoreRevision,
  type Revision,
  type RestoredRecord,
} from '@plugin-config/domain';
import { sendRead, sendReservedJson } from '@plugin-config/server';
import type { FastifyReply } from 'fastify';
import { sendPage } from '../responses/page-links.ts';
import { taggedResponse } from '../responses/send-response.ts';
import { recordTagName } from '../responses/entity-tag.ts';
import type { Handler, Handlers } from '../endpoints/handler.ts';
import { pathId } from '../requests/path-id.ts';
import { presentRecord, reserveChangedRecord, reserveReplayed } from '../record/present-record.ts';
import type { Services } from '../services.ts';

type Endpoints = typeof revisionEndpoints;

/** The handlers that read and restore the revisions of a record. */
export function revisionHandlers(dependencies: Services): Handlers<Endpoints> {
  return {
    listRevisions: listHandler(dependencies),
    retrieveRevision: retrieveHandler(dependencies),
    restoreRevision: restoreHandler(dependencies),
  };
}

function listHandler({ revisions, baseUrl }: Services): Handler<Endpoints['listRevisions']> {
  return async ({ reply, record, query: page }) => {
    const found = await revisions.page(record, page);
    await sendPage({ reply, baseUrl, page }, found, presentRevision);
  };
}

function retrieveHandler({ revisions }: Services): Handler<Endpoints['retrieveRevision']> {
  return async ({ request, reply, record }) => {
    const found = await revisions.find(record, pathId(request, 'revision'));
    if (found === null) throw notFound();
    await sendRead(reply, presentRevision(found));
  };
}

function restoreHandler(dependencies: Services): Handler<Endpoints['restoreRevision']> {
  return async ({ request, reply, record, ...call }) => {
    const number = pathId(request, 'revision');
    const command = { ...call, number, record };
    reserveChangedRecord(reply, record, CONFIGURATION_MAX_BYTES);
    // A repeated request never overlaps the first: an account runs one `large` request at a time.
    sendRestored(reply, await restoreRevision(dependencies, command));
  };
}

/** Never compressed, because it repeats text from requests. */
function sendRestored(reply: FastifyReply, { record, missing }: RestoredRecord): void {
  reserveReplayed(reply, record);
  const view: WireRestoredRecord = { ...presentRecord(record), missing_secrets: [...missing] };
  const { body, etag } = taggedResponse(recordTagName(reply.request, record), record.version, view);
  sendReservedJson(reply.header('etag', etag), body);
}

const presentRevision = presenter(revision, {
  created_at: ({ at }: Revision) => at,
  plugin_version: ({ pinnedVersion }: Revision) => pinnedVersion,
});
