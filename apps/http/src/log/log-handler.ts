import type { subresourceEndpoints, WireLogEntry, WireLogEntryPage } from '@plugin-config/contract';
import type { LogEntry, LogEntryStore } from '@plugin-config/domain';
import { sendRead } from '@plugin-config/server';
import type { FastifyReply } from 'fastify';
import { listAddress, pageBody } from '../answers/page-links.ts';
import type { Handler } from '../endpoints/handler.ts';
import type { BaseUrl } from '../requests/base-url.ts';

export interface LogDependencies {
  readonly logEntries: LogEntryStore;
  readonly baseUrl: BaseUrl;
}

export function logHandler({
  logEntries,
  baseUrl,
}: LogDependencies): Handler<(typeof subresourceEndpoints)['listLogs']> {
  return async ({ request, reply, record, query: { limit, offset, ...filter } }) => {
    const page = { limit, offset };
    const found = await logEntries.page(record, filter, page, goneSignal(reply));
    const body: WireLogEntryPage = pageBody(listAddress(baseUrl, request), page, found, presentEntry);
    await sendRead(reply, body);
  };
}

/** Is aborted when the caller hangs up. */
function goneSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => controller.abort());
  return controller.signal;
}

export function presentEntry(entry: LogEntry): WireLogEntry {
  return {
    id: entry.id,
    team_id: entry.projectId,
    plugin_id: entry.plugin,
    plugin_config_id: entry.recordId,
    timestamp: entry.timestamp.toISOString(),
    source: entry.source,
    type: entry.type,
    message: entry.message,
    instance_id: entry.instanceId,
  };
}
