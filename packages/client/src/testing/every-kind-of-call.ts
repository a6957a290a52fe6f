import { errorResponse, type FakeResponse, type SeenRequest } from './fake-service.ts';

/** A program that lists, fails, streams and logs. It expects a `url`, and sets `outcome`. */
export const EVERY_KIND_OF_CALL = `
import { logSender, pluginConfigClient } from '@plugin-config/client';
const configs = pluginConfigClient({ url, key: 'phx_key' }).project(1).pluginConfigs;
const names = [];
for await (const { name } of configs.list()) names.push(name);
const { code, status } = await configs.retrieve(5).catch((error) => error);
const followed = [];
for await (const { id } of configs.stream()) if (followed.push(id) === 2) break;
const sender = logSender({ url, key: 'phx_key' });
await sender.logger(5).info('long'.repeat(1_000));
globalThis.outcome = { names, code, status, followed, report: await sender.close() };
`;

export const EXPECTED_OUTCOME = {
  names: ['GeoIP'],
  code: 'not_found',
  status: 404,
  followed: ['1', '2'],
  report: { stored: 1, duplicates: 0, dead: 0 },
};

/** Responds to the calls of the program. */
export function responseToCall({ path, headers }: SeenRequest): FakeResponse {
  if (path === '/ingest') return { body: { stored: 1, duplicates: 0, dead: 0 } };
  if (path.endsWith('/stream')) {
    const id = headers['last-event-id'] === '1' ? 2 : 1;
    const event = `id: ${id}\nevent: order\ndata: {}\n\n`;
    return { headers: { 'content-type': 'text/event-stream' }, stream: (response) => response.end(event) };
  }
  if (!path.endsWith('/plugin_configs')) return errorResponse(404, 'not_found');
  return { body: { count: 1, next: null, previous: null, results: [{ id: 5, name: 'GeoIP' }] } };
}
