import { anAuthor } from '@plugin-config/testing';
import type { WireErrorBody } from '@plugin-config/contract';
import { expect } from 'vitest';
import { caller } from '../testing/caller.ts';
import { openService, test, type KeyOptions } from '../testing/service.fixture.ts';

test('a key over its rate limit gets Retry-After, and other keys are not affected', async () => {
  const service = await openService({ rateLimitPerMinute: 5 });
  try {
    await service.ports.projects.create({ name: 'One' }, anAuthor({ at: new Date() }));
    const as = async (): Promise<ReturnType<typeof caller>> =>
      caller({
        base: `${service.url}/api/projects`,
        token: (await service.issueKey({ scopes: ['plugin:read'] })).token,
      });
    const [first, second] = [await as(), await as()];
    for (const remaining of [4, 3, 2, 1, 0]) {
      const { status, headers } = await first('GET', '/1/plugin_configs');
      expect([status, headers.get('ratelimit-policy'), headers.get('ratelimit')]).toEqual([
        200,
        '"key";q=5;w=60',
        expect.stringMatching(`^"key";r=${remaining};t=\\d+$`),
      ]);
    }
    const { status, headers, body } = await first<WireErrorBody>('GET', '/1/plugin_configs/abc');
    const seconds = Number(headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    const detail = `Request was throttled. Expected available in ${seconds} seconds.`;
    expect([status, body]).toEqual([429, { type: 'throttled_error', code: 'throttled', detail, attr: null }]);
    expect((await first('GET', '/')).status).toBe(429);
    expect((await first('POST', '/1/plugin_configs', { body: '{' })).status).toBe(403);
    expect((await first('GET', '/77/plugin_configs')).status).toBe(404);
    expect((await second('GET', '/1/plugin_configs')).status).toBe(200);
    expect((await fetch(`${service.url}/livez`)).status).toBe(200);
  } finally {
    await service.close();
  }
});

test('polls of a runtime count towards the limit even if nothing has changed', async () => {
  const service = await openService({ rateLimitPerMinute: 5 });
  try {
    await service.ports.projects.create({ name: 'One' }, anAuthor({ at: new Date() }));
    const { token } = await service.issueKey({ scopes: ['plugin_runtime'] });
    const feed = caller({ base: `${service.url}/api/projects/1/plugin_configs/runtime`, token });
    const first = await feed('GET', '');
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
    const statuses: number[] = [];
    for (let n = 0; n < 5; n++) statuses.push((await feed('GET', '', { headers })).status);
    expect([first.status, ...statuses]).toEqual([200, 304, 304, 304, 304, 429]);
  } finally {
    await service.close();
  }
});

test('administrative changes are limited, except those of keys with the scope * that are bound to no project', async () => {
  const service = await openService({ adminChangesPerMinute: 3 });
  try {
    const { id } = await service.ports.projects.create({ name: 'One' }, anAuthor({ at: new Date() }));
    const statusesOf = async (order: KeyOptions, method: string, path: string, body: object) => {
      const { token } = await service.issueKey(order);
      const call = caller({ base: `${service.url}/api/projects`, token });
      const statuses: number[] = [];
      for (let n = 0; n < 5; n++) statuses.push((await call(method, path, { body })).status);
      return statuses;
    };
    const limited = [201, 200, 200, 429, 429];
    expect(await statusesOf({ scopes: ['project:write'] }, 'PUT', '/ext:a', {})).toEqual(limited);
    expect(await statusesOf({}, 'PUT', '/ext:b', {})).toEqual([201, 200, 200, 200, 200]);
    const bound = await statusesOf({ projectIds: [id] }, 'POST', `/${id}/alerts`, {});
    expect(bound).toEqual([400, 400, 400, 429, 429]);
  } finally {
    await service.close();
  }
});
