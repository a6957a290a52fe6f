import { expect, test } from 'vitest';
import { pluginConfigClient } from './client.ts';
import { fakeService } from './testing/fake-service.ts';

test('a client without a key sends no Authorization, so its page uses the session', async () => {
  await using service = await fakeService(({ method }) =>
    method === 'GET' ? { body: { id: 1 } } : { status: 204 },
  );
  const api = pluginConfigClient({ url: service.url });
  await api.session.begin({ key: 'phx_key' });
  expect(await api.session.retrieve()).toEqual({ id: 1 });
  await api.session.end();
  expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(service.requests[0]?.text).toBe('{"key":"phx_key"}');
});
