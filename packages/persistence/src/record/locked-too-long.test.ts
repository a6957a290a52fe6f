import { setTimeout as sleep } from 'node:timers/promises';
import { aFamily, aRecord, aRecordWrite, type Ports } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { portsOf, withDatabase } from '../testing/postgres-ports.fixture.ts';

async function twoRecords(ports: Ports) {
  return [await aRecord(ports, await aFamily(ports)), await aRecord(ports, await aFamily(ports))] as const;
}

test('only a request that waits too long for a family is refused as busy', () =>
  withDatabase(async (database) => {
    const ports = portsOf(database);
    const [blocked, free] = await twoRecords(ports);
    const ended = new AbortController();
    const held = Promise.withResolvers<void>();
    const locking = ports.records.lock(blocked, async ({ record }) => {
      held.resolve();
      while (!ended.signal.aborted) await record(blocked.id).then(() => sleep(200));
    });
    await held.promise;
    const [first, second] = await Promise.allSettled(
      [blocked, free].map((record) => ports.records.save(aRecordWrite(record, { name: 'Changed' }))),
    );
    ended.abort();
    await locking;
    expect(first).toMatchObject({ reason: { code: 'busy', retryAfterSeconds: 2 } });
    expect(second).toMatchObject({ value: { name: 'Changed' } });
  }));

test('a silent transaction loses its lock of a family to waiting requests', () =>
  withDatabase(async (database) => {
    const ports = portsOf(database);
    const [record] = await twoRecords(ports);
    const silent = ports.records.lock(record, async (locked) => {
      await sleep(6_500);
      return locked.record(record.id);
    });
    const outcome = silent.catch((error: unknown) => error);
    await sleep(2_500);
    expect(await ports.records.save(aRecordWrite(record, { name: 'Changed' }))).toMatchObject({ version: 2 });
    expect(await outcome).toMatchObject({ code: 'unavailable' });
  }));

test('requests that wait for a family leave most connections to other requests', () =>
  withDatabase(async (database) => {
    const ports = portsOf(database);
    const [blocked, free] = await twoRecords(ports);
    const released = Promise.withResolvers<void>();
    const locking = Array.from({ length: 20 }, () => ports.records.lock(blocked, () => released.promise));
    const inUse = () => database.pool.totalCount - database.pool.idleCount;
    await expect.poll(inUse).toBe(3);
    await sleep(200);
    expect([inUse(), database.pool.waitingCount]).toEqual([3, 0]);
    expect((await ports.records.find(free)).value).toEqual(free);
    released.resolve();
    expect(await Promise.all(locking)).toHaveLength(20);
  }));
