import { logListQuery, type WireLogEntry, type WireLogEntryPage } from '@plugin-config/contract';
import type { LogEntry, LogEntryStore } from '@plugin-config/domain';
import { type Guard, sendJson } from '@plugin-config/service';
import type { FastifyInstance } from 'fastify';
import { addressedRecord } from '../access/addressed.ts';
import { pageLinks } from '../answers/page-links.ts';
import { checked } from '../requests/checked.ts';
import { listAddress } from '../requests/list-address.ts';
import type { Origin } from '../requests/origin.ts';

interface Dependencies {
  readonly guard: Guard;
  readonly logEntries: LogEntryStore;
  readonly origin: Origin;
}

/** Only plugin configs have a log. */
export function logRoutes(app: FastifyInstance, { guard, logEntries, origin }: Dependencies): void {
  const onRequest = guard({ scope: 'plugin:read', family: 'plugin_configs', record: true });
  app.get(
    '/api/projects/:project_id/plugin_configs/:plugin_config_id/logs',
    { onRequest },
    async (request, reply) => {
      const { limit, offset, ...filter } = checked(logListQuery, request.query);
      const page = { limit, offset };
      const found = await logEntries.page(addressedRecord(request), filter, page);
      const links = pageLinks(listAddress(origin, request), page, found);
      const body: WireLogEntryPage = { count: found.count, ...links, results: found.items.map(presentEntry) };
      sendJson(reply, body);
    },
  );
}

function presentEntry(entry: LogEntry): WireLogEntry {
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
