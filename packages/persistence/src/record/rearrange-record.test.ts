import {
  CHUNK_MAX_BYTES,
  readAtPositions,
  rearrangeRecord,
  setOrders,
  type ConfigRecord,
  type FamilyRef,
  type RecordPosition,
  type Precondition,
  type RecordChange,
} from '@plugin-config/domain';
import {
  aFamily,
  anAuthor,
  aRecord,
  aRecordWrite,
  countersOf,
  historyOf,
  liveRecords,
  secondsLater,
  type Ports,
} from '@plugin-config/testing';
import { describe, expect } from 'vitest';
import { testWithPorts } from '../testing/test-with-ports.ts';

const AUTHOR = anAuthor({ at: secondsLater(60), requestId: 'rearrange' });

const test = testWithPorts();

describe('rearranging records', () => {
  test('the record that attaches the plugin moves, and the records in its way shift', async (ports) => {
    const family = await aFamily(ports);
    const [first, second, third] = await createThree(ports, family);
    const moved = await move(ports, family, 2, { plugin: first.plugin });
    expect(moved).toEqual({ ...first, order: 2, updatedAt: AUTHOR.at, version: first.version + 1 });
    expect(await positionsOf(ports, family)).toEqual([
      [second.id, 1],
      [first.id, 2],
      [third.id, 3],
    ]);
  });

  test('only records whose position has changed get an activity entry', async (ports) => {
    const family = await aFamily(ports);
    const [first, second, third] = await createThree(ports, family);
    await move(ports, family, 2, { plugin: first.plugin });
    expect((await historyOf(ports, first))[0]).toMatchObject({
      ...AUTHOR,
      activity: 'rearranged',
      changes: [{ field: 'order', before: 1, after: 2 }],
    });
    expect((await historyOf(ports, second))[0]).toMatchObject({
      activity: 'rearranged',
      changes: [{ field: 'order', before: 2, after: 1 }],
    });
    expect(await historyOf(ports, third)).toHaveLength(1);
  });

  test('moving a record to its current position changes nothing', async (ports) => {
    const family = await aFamily(ports);
    const [, second] = await createThree(ports, family);
    const before = await countersOf(ports, family);
    expect(await move(ports, family, 2, { plugin: second.plugin })).toEqual(second);
    expect(await countersOf(ports, family)).toEqual(before);
  });

  test('deleted records do not move and occupy no positions', async (ports) => {
    const family = await aFamily(ports);
    const deleted = await aRecord(ports, family, { plugin: 1, order: 5, deleted: true });
    const live = await aRecord(ports, family, { plugin: 1, order: 1 });
    expect(await move(ports, family, 5, { plugin: 1 })).toMatchObject({ id: live.id, order: 5 });
    expect((await ports.records.find(deleted)).value).toEqual(deleted);
  });

  test('a record of another family is not moved', async (ports) => {
    const family = await aFamily(ports);
    await aRecord(ports, { ...family, family: 'pipeline_transformation_configs' }, { plugin: 1 });
    await aRecord(ports, await aFamily(ports), { plugin: 1 });
    await expect(move(ports, family, 2, { plugin: 1 })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('the precondition applies to the version of the family', async (ports) => {
    const family = await aFamily(ports);
    const [first] = await createThree(ports, family);
    const { listVersion: version } = await countersOf(ports, family);
    await move(ports, family, 3, { plugin: first.plugin }, [version]);
    const late = move(ports, family, 1, { plugin: first.plugin }, [version]);
    await expect(late).rejects.toMatchObject({ code: 'stale_version' });
    expect((await positionsOf(ports, family)).at(-1)).toEqual([first.id, 3]);
  });

  test('given positions are set in one step, and the result lists all live records in their new order', async (ports) => {
    const family = await aFamily(ports);
    const [first, second, third] = await createThree(ports, family);
    await aRecord(ports, family, { order: 0, deleted: true });
    const orders = new Map([
      [first.id, 7],
      [second.id, 2],
      [third.id, 0],
    ]);
    const result = await set(ports, family, orders);
    expect(result).toEqual([
      { id: third.id, order: 0 },
      { id: second.id, order: 2 },
      { id: first.id, order: 7 },
    ]);
    const records = await liveRecords(ports, family);
    expect(await readAll(ports, family, result)).toEqual(records);
    expect((await historyOf(ports, first))[0]).toMatchObject({ ...AUTHOR, activity: 'rearranged' });
    expect(await historyOf(ports, second)).toHaveLength(1);
    expect(records[1]).toEqual(second);
  });

  test('other records keep their positions, even if a record gets the same one', async (ports) => {
    const family = await aFamily(ports);
    const [first, second, third] = await createThree(ports, family);
    await set(ports, family, new Map([[third.id, 1]]));
    expect(await positionsOf(ports, family)).toEqual([
      [first.id, 1],
      [third.id, 1],
      [second.id, 2],
    ]);
  });

  test('no record moves if an id is unknown, deleted or of another family', async (ports) => {
    const family = await aFamily(ports);
    const [first] = await createThree(ports, family);
    const deleted = await aRecord(ports, family, { deleted: true });
    const foreign = await aRecord(ports, { ...family, family: 'pipeline_transformation_configs' });
    const before = await countersOf(ports, family);
    for (const id of [4711, Number.MAX_SAFE_INTEGER, deleted.id, foreign.id]) {
      const setting = set(
        ports,
        family,
        new Map([
          [first.id, 9],
          [id, 1],
        ]),
      );
      await expect(setting).rejects.toMatchObject({ code: 'does_not_exist', attr: 'orders' });
    }
    expect((await ports.records.find(first)).value).toEqual(first);
    expect(await countersOf(ports, family)).toEqual(before);
  });

  test('an empty list of positions has no effect', async (ports) => {
    const family = await aFamily(ports);
    const records = await createThree(ports, family);
    const before = await countersOf(ports, family);
    expect(await set(ports, family, new Map())).toEqual(records.map(({ id, order }) => ({ id, order })));
    expect(await countersOf(ports, family)).toEqual(before);
  });

  test('records are listed in the committed order even if they have changed since', async (ports) => {
    const family = await aFamily(ports);
    const [first, second, third] = await createThree(ports, family);
    const positions = await set(ports, family, new Map([[first.id, 9]]));
    await ports.records.save(aRecordWrite(second, { deleted: true }));
    await ports.records.save(aRecordWrite(third, { order: 11, name: 'Later' }));
    expect(await readAll(ports, family, positions)).toMatchObject([
      { id: third.id, order: 3, name: 'Later' },
      { id: first.id, order: 9 },
    ]);
  });

  test('a large family is read in chunks', async (ports) => {
    const family = await aFamily(ports);
    const records = await createThree(ports, family);
    const config = 'x'.repeat(CHUNK_MAX_BYTES / 2);
    for (const record of records) await ports.records.save(aRecordWrite(record, { config }));
    const positions = await set(ports, family, new Map());
    const chunks = await Array.fromAsync(readAtPositions(ports, family, positions));
    expect(chunks.map(({ length }) => length)).toEqual([2, 1]);
  });

  test('positions are not set on an outdated version', async (ports) => {
    const family = await aFamily(ports);
    const [first] = await createThree(ports, family);
    const { listVersion: version } = await countersOf(ports, family);
    await set(ports, family, new Map([[first.id, 8]]), [version]);
    const late = set(ports, family, new Map([[first.id, 9]]), [version]);
    await expect(late).rejects.toMatchObject({ code: 'stale_version' });
    expect((await positionsOf(ports, family)).at(-1)).toEqual([first.id, 8]);
  });
});

/** Creates three records, of plugins 1 to 3, at the positions 1 to 3. */
async function createThree(
  ports: Ports,
  family: FamilyRef,
): Promise<readonly [ConfigRecord, ConfigRecord, ConfigRecord]> {
  return [
    await aRecord(ports, family, { plugin: 1 }),
    await aRecord(ports, family, { plugin: 2 }),
    await aRecord(ports, family, { plugin: 3 }),
  ];
}

function move(
  { records }: Ports,
  family: FamilyRef,
  order: number,
  wanted: RecordChange,
  precondition: Precondition = null,
): Promise<ConfigRecord> {
  return rearrangeRecord({ records }, { family, precondition, author: AUTHOR, order, wanted });
}

function set(
  { records }: Ports,
  family: FamilyRef,
  orders: ReadonlyMap<number, number>,
  precondition: Precondition = null,
): Promise<readonly RecordPosition[]> {
  return setOrders({ records }, { family, precondition, author: AUTHOR, orders });
}

async function readAll(ports: Ports, family: FamilyRef, positions: readonly RecordPosition[]) {
  return (await Array.fromAsync(readAtPositions(ports, family, positions))).flat();
}

async function positionsOf(ports: Ports, family: FamilyRef): Promise<readonly (readonly [number, number])[]> {
  return (await liveRecords(ports, family)).map(({ id, order }) => [id, order]);
}
