import { endpointGroup } from '../endpoint.ts';
import { logEntry } from '../log-entry.ts';
import { logStreamQuery } from '../log-list-query.ts';
import { orderEvent, recordEvent, streamQuery } from '../stream.ts';

const ALL = '/api/projects/:project_id/:family';

/** The endpoints that respond with a stream of events. */
export const streamEndpoints = endpointGroup({
  streamRecords: {
    method: 'GET',
    path: `${ALL}/stream`,
    client: 'stream',
    summary: 'Follow the changes to the records',
    description:
      'Sends `record` whenever a record may have changed, and `order` after a rearrange. ' +
      'Changes to one record in quick succession are sent as one event.',
    scope: 'plugin:read',
    orScope: 'config:write',
    work: 'request',
    query: streamQuery,
    events: { record: recordEvent, order: orderEvent },
    responses: { 200: { description: 'Events, until either side ends the stream.' } },
  },

  streamLogs: {
    method: 'GET',
    path: `${ALL}/:plugin_config_id/logs/stream`,
    needsLog: true,
    summary: 'Follow the log of a plugin config',
    description:
      'Sends `log` for each new entry, in the order in which entries are stored, which can differ from the order of their ' +
      'timestamps. A stream can be resumed within 15 minutes.',
    scope: 'plugin:read',
    orScope: 'config:write',
    work: 'search',
    query: logStreamQuery,
    events: { log: logEntry },
    responses: { 200: { description: 'Events, until either side ends the stream.' } },
  },
});
