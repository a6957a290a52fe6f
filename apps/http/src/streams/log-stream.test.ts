import { randomUUID } from 'node:crypto';
import { logEntry, type WireErrorBody } from '@plugin-config/contract';
import type { LogEntry, RecordRef } from '@plugin-config/domain';
import { expectResumable } from '@plugin-config/testing';
import { expect } from 'vitest';
import { follow, type FollowedStream } from '../testing/follow.ts';
import { openServiceOn, test as base } from '../testing/service.fixture.ts';
import type { Wire } from '../testing/wire.ts';

interface Log {
  readonly record: RecordRef;
  /** Stores entries with these messages. */
  store(...messages: readonly string[]): Promise<void>;
  /** Follows the log with these parameters. */
  follow(query?: string, lastEventId?: string, url?: string): Promise<FollowedStream>;
}

const test = base.extend<{ readonly log: Log }>({
  log: async ({ service, project, call }, use) => {
    const { token } = await service.issueKey();
    const { body } = await call('POST', '/plugin_configs', { body: { plugin: 7 } });
    const record = { projectId: project.id, family: 'plugin_configs', id: body.id } as const;
    const opened: FollowedStream[] = [];
    let stored = 0;
    await use({
      record,
      store: async (...messages) => {
        await service.storeEntries(
          messages.map((message): LogEntry => {
            stored++;
            const timestamp = new Date(Date.now() - 60_000 + stored);
            const [source, type] = ['PLUGIN', stored % 2 === 0 ? 'ERROR' : 'LOG'];
            const ids = { id: randomUUID(), projectId: project.id, recordId: record.id, plugin: 7 };
            return { ...ids, timestamp, source, type, message, instanceId: randomUUID() };
          }),
        );
      },
      follow: async (query = '', lastEventId = '', url = service.url) => {
        const address = `${url}/api/projects/${project.id}/plugin_configs/${record.id}/logs/stream${query}`;
        const headers = lastEventId === '' ? {} : { 'last-event-id': lastEventId };
        const stream = await follow(address, { token, headers });
        opened.push(stream);
        return stream;
      },
    });
    for (const stream of opened) await stream.close();
  },
});

const messagesOf = async (stream: FollowedStream, count: number): Promise<readonly string[]> =>
  (await stream.named(count)).map(({ data }) => (data as Wire<'logEntry'>).message);

test('sends its cursor immediately, then each new entry in the format of the list', async ({ call, log }) => {
  await log.store('before');
  const stream = await log.follow();
  expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  expect(await stream.next()).toMatchObject({
    id: expect.stringMatching(/^[0-9a-f]{8}\.\d+-\d+$/),
    event: null,
  });
  await log.store('one', 'two');
  const events = await stream.named(2);
  expect(events.map(({ event }) => event)).toEqual(['log', 'log']);
  const { body } = await call<Wire<'logEntryPage'>>('GET', `/plugin_configs/${log.record.id}/logs?limit=2`);
  expect(events.map(({ data }) => logEntry.parse(data))).toEqual(body.results.toReversed());
});

test('resumes after the last event in another process, by header or parameter', async ({ log, service }) => {
  const first = await log.follow('?tail=5');
  await log.store('1', '2');
  const [event] = await first.named(1);
  await first.close();
  await log.store('3');
  await using other = await disposable(await openServiceOn(service.databaseUrl));
  const byHeader = await log.follow('?tail=5', event?.id ?? '', other.url);
  const byParameter = await log.follow(`?last_event_id=${event?.id}`);
  expect(event).toMatchObject({ data: { message: '1' } });
  const resumed = await Promise.all([byHeader, byParameter].map((stream) => messagesOf(stream, 2)));
  await log.store('4');
  for (const [i, stream] of [byHeader, byParameter].entries()) {
    expectResumable([['1'], resumed[i] ?? [], await messagesOf(stream, 1)], ['1', '2', '3', '4']);
  }
});

test.for([
  ['tail=1001', 'tail'],
  ['tail=-1', 'tail'],
  ['type_filter=no', 'type_filter'],
  ['instance_id=5', 'instance_id'],
  ['after=yesterday', 'after'],
] as const)('rejects the parameter %s', async ([query, attr], { call, log }) => {
  const { status, body } = await call<WireErrorBody>(
    'GET',
    `/plugin_configs/${log.record.id}/logs/stream?${query}`,
  );
  expect([status, body.attr]).toEqual([400, attr]);
});

test('closes its database connection when the last stream ends', async ({ log, service }) => {
  const stream = await log.follow();
  await expect.poll(() => service.ports.wakeUps.isLive).toBe(true);
  await stream.close();
  await expect.poll(() => service.ports.wakeUps.isLive).toBe(false);
});

async function disposable<T extends { close(): Promise<void> }>(service: T): Promise<T & AsyncDisposable> {
  return { ...service, [Symbol.asyncDispose]: () => service.close() };
}
