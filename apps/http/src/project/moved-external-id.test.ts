import { FAMILIES } from '@plugin-config/domain';
import { anAuthor } from '@plugin-config/testing';
import { expect } from 'vitest';
import { caller, type Call } from '../testing/caller.ts';
import { follow } from '../testing/follow.ts';
import { test, type Service } from '../testing/service.fixture.ts';

/** Creates projects that are equal but for their ids. They take an external id from each other. */
async function movingId(service: Service) {
  const { token } = await service.issueKey();
  const externalId = `moving-${crypto.randomUUID()}`;
  const url = `${service.url}/api/projects/ext:${externalId}`;
  const call = caller({ base: url, token });
  let last: number | null = null;
  const move = async (): Promise<void> => {
    const author = () => anAuthor({ at: new Date() });
    if (last !== null) await service.ports.projects.change(last, { externalId: null }, author());
    ({ id: last } = await service.ports.projects.create({ name: 'Moving', externalId }, author()));
    for (const family of FAMILIES) await call('POST', `/${family}`, { body: { plugin: 7 } });
  };
  await move();
  return { call, move, url, token };
}

const versionOf = async (call: Call, family: string): Promise<string> =>
  (await call('GET', `/${family}`)).headers.get('x-family-version') ?? '';

test.for(FAMILIES)(
  'a version of %s is not taken for one of the project that has its external id now',
  async (family, { service }) => {
    const { call, move, url, token } = await movingId(service);
    const version = await versionOf(call, family);
    const poll = async (since: string) => (await call('GET', `/${family}?changed_since=${since}`)).status;
    expect(await poll(version)).toBe(200);
    await move();
    // Only the project differs.
    expect((await versionOf(call, family)).split('.').slice(2)).toEqual(version.split('.').slice(2));
    expect(await poll(version)).toBe(400);
    await using stream = await follow(`${url}/${family}/stream?last_event_id=${version}`, { token });
    expect(await stream.named(1)).toMatchObject([
      { event: 'reset', data: { reason: 'unknown_cursor' }, id: await versionOf(call, family) },
    ]);
    expect(await poll(await versionOf(call, family))).toBe(200);
  },
);

test('a plan is not applied to the project that has its external id now', async ({ service }) => {
  const { call, move } = await movingId(service);
  const document = { format: 1, manager: 'git', plugin_configs: [{ key: 'geoip', plugin: 3 }] };
  const plan = async () =>
    (await call<{ readonly base: string }>('POST', '/configuration/plan', { body: { document } })).body.base;
  const apply = async (base: string) =>
    (await call('POST', '/configuration/apply', { body: { document, base } })).status;
  const base = await plan();
  await move();
  expect(await apply(base)).toBe(412);
  expect(await apply(await plan())).toBe(200);
});
