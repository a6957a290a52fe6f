import { DomainError, type LockedFamily } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../../builders/a-family.ts';
import { aRecord } from '../../builders/a-record.ts';
import { aRecordWrite } from '../../builders/a-record-write.ts';
import { anAuthor, secondsLater } from '../../builders/an-author.ts';
import type { Ports } from '../../ports.ts';
import type { TestWith } from '../../test-with.ts';
import { historyOf, liveRecords, countersOf } from '../read-state.ts';

export function lockingContract(test: TestWith<Ports>): void {
  test('a locked family shows its live records in order, and its version', async (ports) => {
    const family = await aFamily(ports);
    const a = await aRecord(ports, family, {
      order: 2,
      plugin: 5,
      enabled: true,
      name: 'A 🚀',
      description: 'a',
    });
    const b = await aRecord(ports, family, { order: 1 });
    const c = await aRecord(ports, family, { order: 2 });
    await aRecord(ports, family, { order: 0, deleted: true });
    await aRecord(ports, { ...family, family: 'pipeline_transformation_configs' });
    await aRecord(ports, await aFamily(ports));
    const { live, listVersion } = await ports.records.lock(family, async (locked) => locked);
    expect(live).toEqual(
      [b, a, c].map(({ id, order, plugin, enabled, name, description }) => ({
        id,
        order,
        plugin,
        enabled,
        name,
        description,
      })),
    );
    expect(listVersion).toBe((await countersOf(ports, family)).listVersion);
  });

  test('a move requested before the latest change gets no earlier time', async (ports) => {
    const family = await aFamily(ports);
    const record = await aRecord(ports, family);
    const author = anAuthor({ at: secondsLater(-60) });
    await ports.records.lock(family, ({ move }) => move([{ id: record.id, order: 9 }], author));
    expect(await liveRecords(ports, family)).toEqual([{ ...record, order: 9, version: record.version + 1 }]);
  });

  test('each moved record has a new position, a higher version and an activity entry', async (ports) => {
    const family = await aFamily(ports);
    const [a, b, c] = [
      await aRecord(ports, family),
      await aRecord(ports, family),
      await aRecord(ports, family),
    ];
    const author = anAuthor({ at: secondsLater(3), requestId: 'request-1' });
    await ports.records.lock(family, ({ move }) =>
      move(
        [
          { id: a.id, order: 2 },
          { id: b.id, order: 0 },
        ],
        author,
      ),
    );
    const moved = { updatedAt: author.at, version: a.version + 1 };
    expect(await liveRecords(ports, family)).toEqual([
      { ...b, ...moved, order: 0 },
      { ...a, ...moved, order: 2 },
      c,
    ]);
    expect(await historyOf(ports, a)).toMatchObject([
      { ...author, activity: 'rearranged', changes: [{ field: 'order', before: 1, after: 2 }] },
      { activity: 'created' },
    ]);
    expect(await historyOf(ports, c)).toHaveLength(1);
  });

  test('work on a locked family sees its own uncommitted changes', async (ports) => {
    const family = await aFamily(ports);
    const [moved, other] = [await aRecord(ports, family), await aRecord(ports, family)];
    const seen = await ports.records.lock(family, async ({ move, record }) => {
      await move([{ id: moved.id, order: 5 }], anAuthor());
      return [await record(other.id), await record(moved.id)];
    });
    expect(seen).toMatchObject([other, { id: moved.id, order: 5, version: moved.version + 1 }]);
    expect(await liveRecords(ports, family)).toEqual(seen);
  });

  test('work on a locked family sees only the live records of that family', async (ports) => {
    const family = await aFamily(ports);
    const [live, deleted] = [await aRecord(ports, family), await aRecord(ports, family, { deleted: true })];
    const foreign = await aRecord(ports, await aFamily(ports));
    const seen = await ports.records.lock(family, async ({ record }) => [
      await record(deleted.id),
      await record(foreign.id),
      await record(4711),
      await record(live.id),
    ]);
    expect(seen).toEqual([null, null, null, live]);
  });

  test('work that throws stores nothing and releases the family', async (ports) => {
    const family = await aFamily(ports);
    const record = await aRecord(ports, family);
    const before = await countersOf(ports, family);
    const rejection = new DomainError('stale_version', 'Rejected after all.');
    const locking = ports.records.lock(family, async ({ move }) => {
      await move([{ id: record.id, order: 9 }], anAuthor());
      throw rejection;
    });
    await expect(locking).rejects.toBe(rejection);
    expect(await liveRecords(ports, family)).toEqual([record]);
    expect(await historyOf(ports, record)).toHaveLength(1);
    expect(await countersOf(ports, family)).toEqual(before);
    expect(await ports.records.save(aRecordWrite(record, { name: 'Free' }))).toMatchObject({ name: 'Free' });
  });

  test('readers do not wait for a locked family, and see none of its changes before they are committed', async (ports) => {
    const family = await aFamily(ports);
    const record = await aRecord(ports, family);
    await ports.records.lock(family, async ({ move }) => {
      await move([{ id: record.id, order: 9 }], anAuthor());
      expect((await ports.records.find(record)).value).toEqual(record);
      expect(await liveRecords(ports, family)).toEqual([record]);
      expect(await historyOf(ports, record)).toHaveLength(1);
    });
    expect(await liveRecords(ports, family)).toMatchObject([{ order: 9 }]);
  });

  test('writers wait until the family is unlocked', async (ports) => {
    const family = await aFamily(ports);
    const record = await aRecord(ports, family);
    const finished: string[] = [];
    const waiting: Promise<unknown>[] = [];
    await ports.records.lock(family, async ({ move }) => {
      const write = aRecordWrite(record, { name: 'Later' });
      waiting.push(aRecord(ports, family).then(() => finished.push('create')));
      waiting.push(ports.records.save(write).then(() => finished.push('save')));
      waiting.push(ports.records.lock(family, async () => finished.push('lock')));
      await move([{ id: record.id, order: 9 }], anAuthor());
      for (let i = 0; i < 20; i++) await ports.records.find(record);
      expect(finished).toEqual([]);
    });
    await Promise.all(waiting);
    expect(finished.toSorted()).toEqual(['create', 'lock', 'save']);
    expect((await liveRecords(ports, family)).map(({ order, name }) => [order, name])).toEqual([
      [9, null],
      [10, null],
    ]);
  });

  test('a family is locked by one caller at a time', async (ports) => {
    const family = await aFamily(ports);
    const { id } = await aRecord(ports, family, { order: 0 });
    const moveUp = async ({ live, move }: LockedFamily): Promise<void> => {
      await move([{ id, order: (live[0]?.order ?? 0) + 1 }], anAuthor());
    };
    await Promise.all(Array.from({ length: 20 }, () => ports.records.lock(family, moveUp)));
    expect(await liveRecords(ports, family)).toMatchObject([{ order: 20 }]);
  });
}
