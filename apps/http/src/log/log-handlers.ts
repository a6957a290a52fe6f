import { logCount, logEntry, presenter } from '@plugin-config/contract';
import { findEntry, pageAround, logRange, type LogCount, type LogEntry } from '@plugin-config/domain';
import { sendRead } from '@plugin-config/server';
import type { FastifyReply } from 'fastify';
import { listAddress, pageBody } from '../responses/page-links.ts';
import type { HandlersOf } from '../endpoints/handler.ts';
import { pathUuid } from '../requests/path-id.ts';
import type { Services } from '../services.ts';

export function logHandlers({
  logEntries,
  logCounts,
  clock,
  baseUrl,
}: Services): HandlersOf<'listLogs' | 'retrieveLogEntry' | 'countLogs' | 'countProjectLogs'> {
  return {
    listLogs: async ({ request, reply, record, query: { limit, offset, around, ...filter } }) => {
      const address = listAddress(baseUrl, request);
      const signal = disconnectSignal(reply);
      const found =
        around === null
          ? { ...(await logEntries.page(record, filter, { limit, offset }, signal)), offset }
          : await pageAround({ logEntries }, record, { filter, id: around, limit }, signal);
      const body = {
        ...pageBody(address, { limit, offset: found.offset }, found, presentLogEntry),
        ...(around !== null && { offset: found.offset }),
      };
      await sendRead(reply, body);
    },

    retrieveLogEntry: async ({ request, reply, record, query: { timestamp } }) => {
      const id = pathUuid(request, 'entry_id');
      const entry = await findEntry({ logEntries }, record, { id, timestamp }, disconnectSignal(reply));
      await sendRead(reply, presentLogEntry(entry));
    },

    countLogs: async ({ reply, record, query }) => {
      await sendCounts(reply, await logCounts.ofLog(record, logRange(query, clock.now()), query));
    },

    countProjectLogs: async ({ reply, family: { projectId }, query }) => {
      const range = logRange(query, clock.now());
      await sendCounts(reply, await logCounts.ofProject(projectId, range, query));
    },
  };
}

/** Returns a signal that aborts when the caller disconnects, or is aborted if that has already happened. */
function disconnectSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  if (reply.raw.destroyed) controller.abort();
  reply.raw.once('close', () => controller.abort());
  return controller.signal;
}

export const presentLogEntry = presenter(logEntry, {
  team_id: ({ projectId }: LogEntry) => projectId,
  plugin_id: ({ plugin }: LogEntry) => plugin,
  plugin_config_id: ({ recordId }: LogEntry) => recordId,
});

const presentCount = presenter(logCount);

async function sendCounts(reply: FastifyReply, counts: readonly LogCount[]): Promise<void> {
  await sendRead(reply, { results: counts.map(presentCount) });
}
