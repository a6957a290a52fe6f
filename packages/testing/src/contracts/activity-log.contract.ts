import type { ActivityFilter, FamilyRef, NewActivity } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aRecord } from '../builders/a-record.ts';
import { aRecordWrite } from '../builders/a-record-write.ts';
import { aJob } from '../builders/a-job.ts';
import { anApiKey } from '../builders/an-api-key.ts';
import { anAuthor, MOMENT, secondsLater } from '../builders/an-author.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';
import { everyPage, LARGE, OVERSIZED } from './every-page.ts';
import { historyOf, WHOLE } from './read-state.ts';

const EVERY_CHANGE: ActivityFilter = {
  recordId: null,
  activity: null,
  actor: null,
  after: null,
  before: null,
};

const SECOND_JOB = '01890a5d-ac96-7b62-8d5c-1f0a3c9d2e4c';

export function activityLogContract(test: TestWith<Ports>): void {
  test('an entry is read back unchanged', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const key = await ports.keys.add(anApiKey(), anAuthor());
    const activity: NewActivity = {
      activity: 'config_updated',
      actor: { keyId: key.id, label: 'Schlüssel 🔑' },
      requestId: 'request-1',
      at: secondsLater(1.234),
      changes: [
        { field: 'config.größe', before: null, after: 'nul \0, lone \ud800, pair 🚀' },
        { field: 'config.__proto__', before: { b: [1, 2.5, -0.001], a: {} }, after: '********' },
        { field: 'enabled', before: true, after: false },
      ],
      more: 20,
    };
    await ports.records.save(aRecordWrite(record, {}, { activity }));
    const [entry] = await historyOf(ports, record);
    expect(entry).toEqual({ ...activity, id: entry?.id });
  });

  test("an operator's entry has no key and may have no request", async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    expect(await historyOf(ports, record)).toMatchObject([
      { activity: 'created', actor: { keyId: null, label: 'operator' }, requestId: null },
    ]);
  });

  test('the newest entry comes first, page by page', async (ports) => {
    let record = await aRecord(ports, await aFamily(ports));
    for (const requestId of ['one', 'two', 'three']) {
      record = (await ports.records.save(aRecordWrite(record, {}, { activity: { requestId } }))) ?? record;
    }
    const all = await historyOf(ports, record);
    expect(all.map(({ requestId }) => requestId)).toEqual(['three', 'two', 'one', null]);
    expect(await ports.activity.page(record, { limit: 2, offset: 1 })).toEqual({
      count: 4,
      items: all.slice(1, 3),
    });
  });

  test('a page ends before its changes exceed the size limit of a page', async (ports) => {
    let record = await aRecord(ports, await aFamily(ports));
    for (const after of [...Array.from({ length: LARGE.onPage + 2 }, () => LARGE.text), OVERSIZED, 'small']) {
      const changes = [{ field: 'config', before: null, after }];
      record = (await ports.records.save(aRecordWrite(record, {}, { activity: { changes } }))) ?? record;
    }
    const pages = await everyPage((page) => ports.activity.page(record, page));
    expect(pages.map(({ length }) => length)).toEqual([1, 1, LARGE.onPage, 3]);
    const ids = pages.flat().map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    expect(new Set(ids).size).toBe(LARGE.onPage + 5);
  });

  test('the history of a record is read only under its own project and family', async (ports) => {
    const family = await aFamily(ports);
    const elsewhere = await aFamily(ports);
    const { id } = await aRecord(ports, family);
    const none = { count: 0, items: [] };
    expect(await ports.activity.page({ ...elsewhere, id }, WHOLE)).toEqual(none);
    const otherFamily = { ...family, family: 'pipeline_transformation_configs' } as const;
    expect(await ports.activity.page({ ...otherFamily, id }, WHOLE)).toEqual(none);
    expect(await ports.activity.page({ ...family, id: id + 1 }, WHOLE)).toEqual(none);
  });

  test('times in a history never decrease, even if the clocks of its writers differ', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const early = anAuthor({ at: secondsLater(-60) });
    const change = { activity: { at: secondsLater(30) } };
    const saved = (await ports.records.save(aRecordWrite(record, {}, change))) ?? record;
    await ports.jobs.queue(aJob(record, { createdAt: secondsLater(40) }), null);
    await ports.records.lock(record, ({ move }) => move([{ id: record.id, order: 9 }], early));
    const moved = (await ports.records.find(saved)).value ?? saved;
    await ports.jobs.queue(aJob(record, { id: SECOND_JOB, createdAt: secondsLater(20) }), null);
    await ports.jobs.cancel(record, SECOND_JOB, early);
    await ports.records.save(aRecordWrite(moved, {}, { activity: { at: secondsLater(50) } }));
    const seconds = (await historyOf(ports, record)).map(
      ({ at }) => (at.getTime() - MOMENT.getTime()) / 1000,
    );
    expect(seconds).toEqual([50, 40, 40, 40, 40, 30, 0]);
  });

  /** Several changes to three records in one family, by two keys and the operator. */
  const aHistory = async (
    ports: Ports,
  ): Promise<{ readonly family: FamilyRef; readonly ids: readonly number[] }> => {
    const family = await aFamily(ports);
    const ids: number[] = [];
    for (let i = 0; i < 3; i++) {
      let record = await aRecord(ports, family);
      ids.push(record.id);
      for (let change = 1; change <= 4; change++) {
        const activity: Partial<NewActivity> = {
          activity: change % 2 === 0 ? 'enabled' : 'disabled',
          actor: { keyId: change === 4 ? null : change, label: 'somebody' },
          at: secondsLater(change * 10 + i),
        };
        record = (await ports.records.save(aRecordWrite(record, {}, { activity }))) ?? record;
      }
    }
    return { family, ids };
  };

  test('the history of a family has the changes to all its records, last change first, page by page', async (ports) => {
    const { family, ids } = await aHistory(ports);
    await aRecord(ports, await aFamily(ports));
    const { count, items } = await ports.activity.familyPage(family, EVERY_CHANGE, WHOLE);
    expect(count).toBe(15);
    expect(items.map(({ id }) => id)).toEqual(items.map(({ id }) => id).toSorted((a, b) => b - a));
    for (const id of ids) {
      const own = (await historyOf(ports, { ...family, id })).map((entry) => ({ ...entry, recordId: id }));
      expect(items.filter(({ recordId }) => recordId === id)).toEqual(own);
    }
    for (const offset of [0, 1, 4, 7, 13, 14, 15, 2_147_483_647]) {
      for (const limit of [1, 3, 1000]) {
        expect(await ports.activity.familyPage(family, EVERY_CHANGE, { limit, offset })).toEqual({
          count: 15,
          items: items.slice(offset, offset + limit),
        });
      }
    }
  });

  test('the history of a family can be filtered by record, activity, actor and time, separately or together', async (ports) => {
    const { family, ids } = await aHistory(ports);
    const { items } = await ports.activity.familyPage(family, EVERY_CHANGE, WHOLE);
    const [, second = 0] = ids;
    const filters: readonly (readonly [Partial<ActivityFilter>, number])[] = [
      [{ recordId: second }, 5],
      [{ recordId: second + 1000 }, 0],
      [{ activity: 'enabled' }, 6],
      [{ activity: 'job_failed' }, 0],
      [{ actor: { keyId: 2 } }, 3],
      [{ actor: { keyId: null } }, 6],
      [{ after: secondsLater(21) }, 7],
      [{ before: secondsLater(11) }, 4],
      [{ after: secondsLater(10), before: secondsLater(31), activity: 'disabled' }, 3],
      [{ recordId: second, activity: 'disabled', actor: { keyId: 3 } }, 1],
    ];
    for (const [filter, count] of filters) {
      const found = await ports.activity.familyPage(family, { ...EVERY_CHANGE, ...filter }, WHOLE);
      expect({ filter, count: found.count }).toEqual({ filter, count });
      expect(found.items).toEqual(
        items.filter(
          ({ recordId, activity, actor, at }) =>
            (filter.recordId ?? recordId) === recordId &&
            (filter.activity ?? activity) === activity &&
            (filter.actor ?? actor).keyId === actor.keyId &&
            (filter.after ?? secondsLater(-1)) < at &&
            at < (filter.before ?? secondsLater(1000)),
        ),
      );
      const rest = await ports.activity.familyPage(
        family,
        { ...EVERY_CHANGE, ...filter },
        { limit: 2, offset: 1 },
      );
      expect(rest).toEqual({ count, items: found.items.slice(1, 3) });
    }
  });

  test('the history of a family is read only under its own project and family, even by record id', async (ports) => {
    const { family, ids } = await aHistory(ports);
    const [id = 0] = ids;
    const others = [await aFamily(ports), { ...family, family: 'pipeline_transformation_configs' } as const];
    for (const other of others) {
      for (const filter of [EVERY_CHANGE, { ...EVERY_CHANGE, recordId: id }]) {
        expect(await ports.activity.familyPage(other, filter, WHOLE)).toEqual({ count: 0, items: [] });
      }
    }
  });

  test('a page of the history of a family ends before its changes exceed the size limit', async (ports) => {
    const family = await aFamily(ports);
    for (const after of [...Array.from({ length: LARGE.onPage + 2 }, () => LARGE.text), OVERSIZED, 'small']) {
      const changes = [{ field: 'config', before: null, after }];
      await ports.records.save(aRecordWrite(await aRecord(ports, family), {}, { activity: { changes } }));
    }
    const pages = await everyPage((page) => ports.activity.familyPage(family, EVERY_CHANGE, page));
    expect(pages.flat()).toHaveLength(2 * (LARGE.onPage + 4));
    for (const page of pages) {
      const large = page.filter(({ changes }) => changes[0]?.after === LARGE.text);
      expect(large.length).toBeLessThanOrEqual(LARGE.onPage);
    }
    const ids = pages.flat().map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    expect(new Set(ids).size).toBe(ids.length);
  });
}
