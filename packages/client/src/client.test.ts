import { endpoints, FAMILY_WORDS, type Endpoint } from '@plugin-config/contract';
import { expect, test } from 'vitest';
import { pluginConfigClient } from './client.ts';

test('the client has a method for every endpoint and family', async () => {
  const sent = new Set<string>();
  const fetch: typeof globalThis.fetch = async (url, init) => {
    sent.add(`${init?.method} ${(url as URL).pathname.replaceAll(/\/\d+/g, '/:')}`);
    return new Response(null, { status: 400 });
  };
  const { project, ...client } = pluginConfigClient({ url: 'http://service', key: 'phx_key', fetch });
  await callAll({ ...client, project: project(1) } as unknown as Methods);
  const expected = Object.values<Endpoint>(endpoints).flatMap(({ method, path, needsLog }) =>
    (needsLog === true ? ['plugin_configs'] : Object.keys(FAMILY_WORDS)).map((family) => {
      // The feed of all projects takes the family as a parameter.
      const named = path.includes(':project_id') ? path.replace('/:family', `/${family}`) : path;
      return `${method} ${named.replaceAll(/:\w+/g, ':')}`;
    }),
  );
  expect(expected.filter((route) => !sent.has(route))).toEqual([]);
});

test('a method takes the ids in the path, the body, the query and the options', async () => {
  const sent: (readonly [unknown, RequestInit | undefined])[] = [];
  const fetch: typeof globalThis.fetch = async (url, init) => {
    sent.push([(url as URL).href, init]);
    return Response.json({ results: [] });
  };
  const { keys, project } = pluginConfigClient({ url: 'http://service', key: 'phx_key', fetch });
  const { alerts, configuration, pluginConfigs } = project('@current');
  await alerts.update(5, { enabled: false }, { requestId: 'one' });
  await pluginConfigs.logEntry(7, 'a/b', { timestamp: '2026-03-01' });
  await keys.revoke(3);
  expect(await configuration.drift({ manager: 'team' })).toEqual([]);
  const current = 'http://service/api/projects/%40current';
  expect(sent.map(([url, init]) => [init?.method, url, init?.body])).toEqual([
    ['PATCH', `${current}/alerts/5`, '{"enabled":false}'],
    ['GET', `${current}/plugin_configs/7/logs/a%2Fb?timestamp=2026-03-01`, null],
    ['DELETE', 'http://service/api/keys/3', null],
    ['GET', `${current}/configuration/drift?manager=team`, null],
  ]);
  expect(sent[0]?.[1]?.headers).toMatchObject({ 'x-request-id': 'one' });
});

type Method = (...numbers: readonly number[]) => Promise<unknown> | AsyncIterable<unknown>;
interface Methods {
  readonly [name: string]: Method | Methods;
}

/** Calls all methods, and iterates over what they return. Ignores their errors. */
async function callAll(methods: Methods): Promise<void> {
  for (const method of Object.values(methods)) {
    if (typeof method !== 'function') await callAll(method);
    else {
      const result = method(1, 2, 3);
      const whole = 'then' in result ? result : Array.fromAsync(result);
      await whole.catch(() => {});
    }
  }
}
