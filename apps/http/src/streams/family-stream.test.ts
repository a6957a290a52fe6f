import type { WireConfigRecord } from '@plugin-config/contract';
import { FAMILIES } from '@plugin-config/domain';
import { describe, expect } from 'vitest';
import { follow } from '../testing/follow.ts';
import { test as base } from '../testing/service.fixture.ts';

interface Fixtures {
  /** Follows a family of the project. */
  readonly stream: (family: string, lastEventId?: string) => ReturnType<typeof follow>;
}

const test = base.extend<Fixtures>({
  stream: async ({ service, project }, use) => {
    const { token } = await service.issueKey();
    const opened: Awaited<ReturnType<typeof follow>>[] = [];
    await use(async (family, lastEventId) => {
      const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
      const one = await follow(`${service.url}/api/projects/${project.id}/${family}/stream`, {
        token,
        headers,
      });
      opened.push(one);
      return one;
    });
    for (const each of opened) await each.close();
  },
});

const CURSOR = expect.stringMatching(/^[0-9a-f]{8}(\.\d+){3}$/);
const shown = ({ id }: WireConfigRecord, version: number, deleted = false) => ({ id, version, deleted });

describe.each(FAMILIES)('the stream of %s', (family) => {
  test('sends its cursor immediately, then each change to a record', async ({ call, stream }) => {
    const { body: record } = await call('POST', `/${family}`, { body: { plugin: 7 } });
    const followed = await stream(family);
    expect([followed.status, followed.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect(await followed.next()).toMatchObject({ id: CURSOR, event: null });
    await call('PATCH', `/${family}/${record.id}`, { body: { name: 'One' } });
    expect(await followed.named(1)).toMatchObject([{ event: 'record', data: shown(record, 2) }]);
    await call('DELETE', `/${family}/${record.id}`);
    expect(await followed.named(1)).toMatchObject([{ event: 'record', data: shown(record, 3, true) }]);
  });

  test('resumes after the last event, with one event for each record changed since', async ({
    call,
    stream,
  }) => {
    const { body: one } = await call('POST', `/${family}`, { body: { plugin: 7 } });
    const { body: two } = await call('POST', `/${family}`, { body: { plugin: 7 } });
    const first = await stream(family);
    await call('PATCH', `/${family}/${one.id}`, { body: { name: 'a' } });
    const [last] = await first.named(1);
    await first.close();
    for (const name of ['b', 'c']) await call('PATCH', `/${family}/${two.id}`, { body: { name } });
    await call('PATCH', `/${family}/${one.id}`, { body: { name: 'b' } });
    const second = await stream(family, last?.id ?? '');
    expect((await second.named(2)).map(({ data }) => data)).toEqual([shown(two, 3), shown(one, 3)]);
  });

  test.for([
    ['malformed', 'malformed_cursor', () => 'yesterday'],
    ['malformed', 'malformed_cursor', () => '1-2-3'],
    ['newer than the family, after a restore', 'unknown_cursor', (now: string) => `${now}999999999`],
    ['from before a failover', 'unknown_cursor', (now: string) => now.replace(/^\w+/, 'another')],
  ] as const)(
    'a cursor that is %s resets the stream, which continues from now',
    async ([, reason, cursorFrom], { call, stream }) => {
      await call('POST', `/${family}`, { body: { plugin: 7 } });
      const { headers } = await call('GET', `/${family}`);
      const cursor = cursorFrom(headers.get('x-family-version') ?? '');
      const followed = await stream(family, cursor);
      const [reset] = await followed.named(1);
      expect(reset).toMatchObject({ event: 'reset', data: { reason }, id: CURSOR });
      const { body: record } = await call('POST', `/${family}`, { body: { plugin: 7 } });
      expect(await followed.named(1)).toMatchObject([{ event: 'record', data: shown(record, 1) }]);
    },
  );

  test('the parameter is an alternative to the header, which takes precedence', async ({
    call,
    service,
    project,
  }) => {
    const { token } = await service.issueKey();
    const before = (await call('GET', `/${family}`)).headers.get('x-family-version');
    const { body: record } = await call('POST', `/${family}`, { body: { plugin: 7 } });
    const url = `${service.url}/api/projects/${project.id}/${family}/stream?last_event_id=${before}`;
    await using resumed = await follow(url, { token });
    expect(await resumed.named(1)).toMatchObject([{ event: 'record', data: shown(record, 1) }]);
    await using header = await follow(url, { token, headers: { 'last-event-id': 'other' } });
    expect(await header.named(1)).toMatchObject([{ event: 'reset' }]);
  });

  test('a stream catches up with a family that keeps changing', async ({ call, stream }) => {
    const { body: record } = await call('POST', `/${family}`, { body: { plugin: 7 } });
    const followed = await stream(family);
    for (let i = 0; i < 30; i++)
      await call('PATCH', `/${family}/${record.id}`, { body: { name: `name ${i}` } });
    const versions: number[] = [];
    while (versions.at(-1) !== 31) {
      for (const { data } of await followed.named(1)) versions.push((data as { version: number }).version);
    }
    expect(versions).toEqual(versions.toSorted((a, b) => a - b));
    expect(new Set(versions).size).toBe(versions.length);
  });
});
