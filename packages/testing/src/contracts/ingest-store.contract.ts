import {
  DAY_MS,
  ingestReport,
  isLaterError,
  MESSAGE_TEXT_MAX,
  type LogEntry,
  type Message,
} from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aRecord } from '../builders/a-record.ts';
import { aRecordWrite } from '../builders/a-record-write.ts';
import { MOMENT, secondsLater } from '../builders/an-author.ts';
import { aDeadMessage, aDelivery, anEntry, anErrorReport, anOrigin } from '../builders/an-ingest-message.ts';
import type { LogPorts } from '../log-ports.ts';
import type { TestWith } from '../test-with.ts';
import { EVERY, logOf } from './log-reading.ts';
import { picking } from './picking.ts';
import { standingOf, WHOLE } from './reading.ts';

const ALL_LETTERS = { after: 0, limit: 1000 };
const ANOTHER_ID = '0197a3f2-5a1b-7c3d-8e4f-9a0b1c2d3e4f';

export function ingestStoreContract(test: TestWith<LogPorts>): void {
  test('an entry is found as it came, with what its record says of it', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports), { plugin: 42 });
    const entry = anEntry(record, { source: 'CONSOLE', type: 'A_TYPE_OF_ITS_OWN', message: 'é 🚀 \\ \n\t"' });
    expect(await ports.store.store([entry])).toEqual(['stored']);
    const { id, recordId, source, type, message, instanceId } = entry;
    const { projectId, plugin } = record;
    const found: LogEntry = {
      id,
      projectId,
      plugin,
      recordId,
      timestamp: MOMENT,
      source,
      type,
      message,
      instanceId,
    };
    expect(await logOf(ports, record)).toEqual([found]);
  });

  test('an entry that comes again is stored once', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const entries = Array.from({ length: 100 }, (_, i) => anEntry(record, { message: `${i}` }));
    expect(new Set(await ports.store.store(entries))).toEqual(new Set(['stored']));
    expect(new Set(await ports.store.store(entries))).toEqual(new Set(['duplicate']));
    expect((await ports.logs.page(record, EVERY, WHOLE)).count).toBe(100);
  });

  test('what comes again among what is new is told apart', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const entries = Array.from({ length: 200 }, () => anEntry(record));
    await ports.store.store(entries.filter((_, i) => i % 3 === 0));
    const outcomes = await ports.store.store(entries);
    expect(outcomes).toEqual(entries.map((_, i) => (i % 3 === 0 ? 'duplicate' : 'stored')));
    expect((await ports.logs.page(record, EVERY, WHOLE)).count).toBe(200);
  });

  test('of twins in one batch the first is stored', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const entry = anEntry(record, { message: 'first' });
    const outcomes = await ports.store.store([entry, { ...entry, message: 'second', type: 'ERROR' }]);
    expect(outcomes).toEqual(['stored', 'duplicate']);
    expect((await logOf(ports, record)).map(({ message }) => message)).toEqual(['first']);
  });

  test('the same id at another time, or of another record, is another entry', async (ports) => {
    const family = await aFamily(ports);
    const [record, sister] = [await aRecord(ports, family), await aRecord(ports, family)];
    const entry = anEntry(record);
    const others = [
      anEntry(record, { ...entry, timestamp: entry.timestamp + 1 }),
      { ...entry, recordId: sister.id },
    ];
    expect(await ports.store.store([entry, ...others])).toEqual(['stored', 'stored', 'stored']);
    expect((await ports.logs.page(record, EVERY, WHOLE)).count).toBe(2);
  });

  test('an entry names the plugin that its record attached when it was stored', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports), { plugin: 7 });
    await ports.store.store([anEntry(record)]);
    await ports.records.save(aRecordWrite(record, { plugin: 8 }));
    await ports.store.store([anEntry(record, { timestamp: MOMENT.getTime() + 1, plugin: 8 })]);
    expect((await logOf(ports, record)).map(({ plugin }) => plugin)).toEqual([8, 7]);
  });

  test('a deleted record takes entries', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports), { deleted: true });
    expect(await ports.store.store([anEntry(record)])).toEqual(['stored']);
  });

  test('what its record contradicts is dead, for this reason, and holds up nothing else', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports), { plugin: 7 });
    const pipeline = await aRecord(ports, await aFamily(ports, 'pipeline_transformation_configs'));
    const elsewhere = anOrigin({ projectIds: [record.projectId + 1000] });
    const here = anOrigin({ projectIds: [1000, record.projectId] });
    const messages: readonly Message[] = [
      anEntry({ id: 999_999 }),
      anEntry(record, { origin: elsewhere, projectId: 3 }),
      anEntry(record, { projectId: record.projectId + 1 }),
      anEntry(record, { plugin: 8 }),
      anEntry(pipeline),
      aDeadMessage(),
      anErrorReport({ id: 999_999 }, 'lost'),
      aDelivery(record, { origin: elsewhere }),
      anEntry(record, { origin: here, projectId: record.projectId, plugin: 7 }),
    ];
    const reasons = [
      'unknown_plugin_config',
      'wrong_project',
      'wrong_team_id',
      'wrong_plugin_id',
      'no_log',
      'not_json',
    ];
    expect(await ports.store.store(messages)).toEqual([
      ...reasons,
      'unknown_plugin_config',
      'wrong_project',
      'stored',
    ]);
    expect(await ports.letters.count()).toBe(8);
    expect((await ports.logs.page(record, EVERY, WHOLE)).count).toBe(1);
  });

  test('a dead letter keeps what another try needs', async (ports) => {
    const origin = anOrigin({
      channel: 'jetstream',
      receivedAt: secondsLater(5),
      streamTime: secondsLater(4),
      projectIds: [3, 1],
    });
    await ports.store.store([
      aDeadMessage({ text: '{"é": "🚀\\u0000"}', origin, position: 17 }),
      aDeadMessage({ text: '' }),
    ]);
    const [first, second] = await ports.letters.list(ALL_LETTERS);
    expect(first).toEqual({
      id: first?.id,
      channel: 'jetstream',
      receivedAt: secondsLater(5),
      streamTime: secondsLater(4),
      projectIds: [3, 1],
      position: 17,
      reason: 'not_json',
      entryId: null,
      text: '{"é": "🚀\\u0000"}',
      missing: 0,
    });
    expect(second).toMatchObject({ streamTime: null, projectIds: [], text: '' });
  });

  test('a dead letter holds any text, and of a huge one the beginning', async (ports) => {
    const texts = ['a\0b\ud800', 'x'.repeat(MESSAGE_TEXT_MAX + 5)];
    await ports.store.store(texts.map((text) => aDeadMessage({ text })));
    const letters = await ports.letters.list(ALL_LETTERS);
    expect(letters.map(({ text, missing }) => [text.length, missing])).toEqual([
      [4, 0],
      [MESSAGE_TEXT_MAX, 5],
    ]);
    expect(letters[0]?.text).toBe('a\uFFFDb\uFFFD');
  });

  test('a message that comes again is the same dead letter, and is told to be dead each time', async (ports) => {
    const lost = { id: 999_999 };
    const origin = anOrigin({ channel: 'jetstream', streamTime: MOMENT });
    const batch: readonly Message[] = [
      aDeadMessage(),
      anEntry(lost),
      anEntry(lost, { origin }),
      aDelivery(lost),
      anErrorReport(lost, 'broken'),
    ];
    const reasons = ['not_json', ...batch.slice(1).map(() => 'unknown_plugin_config')];
    expect(await ports.store.store(batch)).toEqual(reasons);
    const letters = await ports.letters.list(ALL_LETTERS);
    const later = batch.map((message) => ({
      ...message,
      origin: { ...message.origin, receivedAt: secondsLater(60) },
    }));
    expect(await ports.store.store([...later.toReversed(), ...batch])).toEqual([
      ...reasons.toReversed(),
      ...reasons,
    ]);
    expect(await ports.letters.list(ALL_LETTERS)).toEqual(letters);
    expect(letters.map(({ entryId }) => entryId !== null)).toEqual([false, true, true, false, false]);
  });

  test('messages that differ in what makes an entry, or in where they are from, are dead letters of their own', async (ports) => {
    const entry = anEntry({ id: 999_999 });
    const batch: readonly Message[] = [
      entry,
      { ...entry, text: '{}' },
      { ...entry, id: ANOTHER_ID },
      { ...entry, timestamp: entry.timestamp + 1 },
      { ...entry, origin: anOrigin({ channel: 'ndjson' }) },
      { ...entry, origin: anOrigin({ streamTime: MOMENT }) },
      { ...entry, origin: anOrigin({ projectIds: [1] }) },
    ];
    await ports.store.store(batch);
    expect(await ports.letters.count()).toBe(batch.length);
  });

  test('a dead letter that was dropped is one again when its message comes again', async (ports) => {
    await ports.store.store([aDeadMessage()]);
    await ports.letters.dropAll();
    await ports.store.store([aDeadMessage()]);
    expect(await ports.letters.count()).toBe(1);
  });

  test('a dead letter keeps its place and its reason when it is tried again and comes again', async (ports) => {
    await ports.store.store([aDeadMessage()]);
    const [letter] = await ports.letters.list(ALL_LETTERS);
    const origin = anOrigin({ deadLetterId: letter?.id ?? 0 });
    await ports.store.store([aDeadMessage({ reason: 'invalid_message', origin }), aDeadMessage()]);
    expect(await ports.letters.list(ALL_LETTERS)).toEqual([{ ...letter, reason: 'invalid_message' }]);
  });

  test('several writers of the same dead letters keep each of them once', async (ports) => {
    const batch = Array.from({ length: 300 }, (_, i) => aDeadMessage({ text: `${i}` }));
    const writers = Array.from({ length: 8 }, (_, w) => (w % 2 === 0 ? batch : batch.toReversed()));
    await Promise.all(writers.map((messages) => ports.store.store(messages)));
    const letters = await ports.letters.list(ALL_LETTERS);
    expect(new Set(letters.map(({ text }) => text)).size).toBe(300);
    expect(letters).toHaveLength(300);
  });

  test('an error is what the record shows, and raises its family’s revision, but no version', async (ports) => {
    for (const family of ['plugin_configs', 'pipeline_transformation_configs'] as const) {
      const ref = await aFamily(ports, family);
      const [record, sister] = [await aRecord(ports, ref), await aRecord(ports, ref)];
      const before = await standingOf(ports, ref);
      const reports = [
        anErrorReport(record, 'old'),
        anErrorReport(sister, 'other'),
        anErrorReport(record, 'new'),
      ];
      expect(await ports.store.store(reports)).toEqual(['stored', 'stored', 'stored']);
      expect((await ports.records.find(record)).value).toEqual({ ...record, error: 'new' });
      expect((await ports.records.find(sister)).value).toEqual({ ...sister, error: 'other' });
      expect(await standingOf(ports, ref)).toEqual({ ...before, revision: before.revision + 1 });
    }
  });

  test('an error that the record shows already raises nothing', async (ports) => {
    const family = await aFamily(ports);
    const record = await aRecord(ports, family);
    await ports.store.store([anErrorReport(record, '')]);
    const before = await standingOf(ports, family);
    expect(await ports.store.store([anErrorReport(record, '')])).toEqual(['stored']);
    expect(await standingOf(ports, family)).toEqual(before);
  });

  test('an error is cleared', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    await ports.store.store([anErrorReport(record, 'broken')]);
    await ports.store.store([anErrorReport(record, null)]);
    expect((await ports.records.find(record)).value).toEqual(record);
  });

  test('in whatever order and however often errors come, the latest is shown', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const pick = picking(16);
    for (let round = 0; round < 25; round++) {
      const day = MOMENT.getTime() + round * DAY_MS;
      const reports = Array.from({ length: 1 + pick(12) }, () => {
        const origin = anOrigin({
          receivedAt: new Date(day + pick(3)),
          streamTime: pick(3) > 0 ? null : new Date(day + pick(3)),
        });
        const error = [null, '', 'a', 'b\uFFFD', 'b🚀', 'B'][pick(6)] ?? null;
        return anErrorReport(record, error, { origin, timestamp: day + pick(2), position: pick(3) });
      });
      const latest = reports.reduce((held, next) => (isLaterError(next, held) ? next : held));
      const comings = [...reports, ...reports].toSorted(() => pick(3) - 1);
      while (comings.length > 0) {
        const batches = Array.from({ length: 1 + pick(3) }, () => comings.splice(0, 1 + pick(4)));
        await Promise.all(batches.map((batch) => ports.store.store(batch)));
      }
      expect((await ports.records.find(record)).value?.error).toBe(latest.error);
    }
  });

  test('an error that an earlier one follows is kept, and raises nothing', async (ports) => {
    const family = await aFamily(ports);
    const record = await aRecord(ports, family);
    const earlier = anErrorReport(record, 'earlier');
    await ports.store.store([anErrorReport(record, 'later')]);
    const before = await standingOf(ports, family);
    expect(await ports.store.store([earlier])).toEqual(['stored']);
    expect((await ports.records.find(record)).value?.error).toBe('later');
    expect(await standingOf(ports, family)).toEqual(before);
  });

  test('errors of many records, by several writers at once, end as the latest of each', async (ports) => {
    const families = [await aFamily(ports), await aFamily(ports, 'pipeline_transformation_configs')] as const;
    const records = await Promise.all(
      Array.from({ length: 30 }, (_, i) => aRecord(ports, families[i % 2 === 0 ? 0 : 1])),
    );
    const reports = Array.from({ length: 300 }, (_, i) =>
      anErrorReport(records[i % 30] ?? { id: 0 }, i < 270 ? `error ${i}` : null),
    );
    const batches = Array.from({ length: 12 }, (_, w) =>
      reports.filter((_report, i) => i % 12 === w || i % 5 === w),
    );
    await Promise.all(batches.map((batch, w) => ports.store.store(w % 2 === 0 ? batch : batch.toReversed())));
    await ports.rates.refresh(MOMENT);
    for (const record of records) expect((await ports.records.find(record)).value?.error).toBeNull();
  });

  test('a delivery counts once for its id and record, whatever else it says', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const report = aDelivery(record, { id: ANOTHER_ID });
    expect(await ports.store.store([report, { ...report, failures: 9 }])).toEqual(['stored', 'duplicate']);
    const again = [report, { ...report, timestamp: report.timestamp - DAY_MS }];
    for (const other of again) expect(await ports.store.store([other])).toEqual(['duplicate']);
    await ports.rates.refresh(MOMENT);
    expect((await ports.records.find(record)).value?.deliveryRate).toBe('1.0000');
  });

  test('the id of a delivery that somebody reported of another record counts all the same', async (ports) => {
    const [record, foreign] = [
      await aRecord(ports, await aFamily(ports)),
      await aRecord(ports, await aFamily(ports)),
    ];
    const report = aDelivery(record, { id: ANOTHER_ID });
    expect(await ports.store.store([aDelivery(foreign, { id: ANOTHER_ID })])).toEqual(['stored']);
    expect(await ports.store.store([report, { ...report, recordId: foreign.id }])).toEqual([
      'stored',
      'duplicate',
    ]);
    await ports.rates.refresh(MOMENT);
    expect((await ports.records.find(record)).value?.deliveryRate).toBe('1.0000');
  });

  test('an id that several writers report at once, each for a day of its own, counts once', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const reports = Array.from({ length: 200 }, () => aDelivery(record));
    const writers = Array.from({ length: 6 }, (_, w) =>
      (w % 2 === 0 ? reports : reports.toReversed()).map((report) => ({
        ...report,
        timestamp: report.timestamp - w * DAY_MS,
      })),
    );
    await ports.store.store(
      writers.map((_, w) => anEntry(record, { timestamp: MOMENT.getTime() - w * DAY_MS })),
    );
    const outcomes = await Promise.all(writers.map((messages) => ports.store.store(messages)));
    expect(ingestReport(outcomes.flat())).toEqual({ stored: 200, duplicates: 1000, dead: 0 });
  });

  test('a batch that holds what cannot be stored is refused as a whole', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const culprit = anEntry(record, { message: 'a\0b' });
    const refused = { name: 'DomainError', code: 'invalid_input' };
    for (const others of [3, 100]) {
      const entries = Array.from({ length: others }, () => anEntry(record));
      const batch = [aDeadMessage(), aDelivery(record), ...entries, culprit];
      await expect(ports.store.store(batch)).rejects.toMatchObject(refused);
    }
    await expect(ports.store.store([anErrorReport(record, 'a\0b')])).rejects.toMatchObject(refused);
    expect((await ports.logs.page(record, EVERY, WHOLE)).count).toBe(0);
    expect(await ports.letters.count()).toBe(0);
    expect(await ports.rates.refresh(MOMENT)).toBe(0);
  });

  test('a dead letter whose message is stored at last is gone', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    await ports.store.store(['a', 'b', 'c'].map((text) => aDeadMessage({ text })));
    const [a, b, c] = (await ports.letters.list(ALL_LETTERS)).map(({ id }) => anOrigin({ deadLetterId: id }));
    const entry = anEntry(record);
    const again: readonly Message[] = [
      { ...entry, ...(a && { origin: a }) },
      { ...entry, ...(b && { origin: b }) },
      aDeadMessage({ reason: 'invalid_message', ...(c && { origin: c }) }),
    ];
    expect(await ports.store.store(again)).toEqual(['stored', 'duplicate', 'invalid_message']);
    const left = await ports.letters.list(ALL_LETTERS);
    expect(left.map(({ id, reason, text }) => [id, reason, text])).toEqual([
      [c?.deadLetterId, 'invalid_message', 'c'],
    ]);
  });

  test('nothing is stored for a dead letter that is gone', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const origin = anOrigin({ deadLetterId: 999 });
    expect(await ports.store.store([anEntry(record, { origin }), aDeadMessage({ origin })])).toEqual([
      'gone',
      'gone',
    ]);
    expect((await ports.logs.page(record, EVERY, WHOLE)).count).toBe(0);
    expect(await ports.letters.count()).toBe(0);
  });

  test('overlapping batches of several writers are stored once each and counted exactly', async (ports) => {
    const family = await aFamily(ports);
    const records = await Promise.all(Array.from({ length: 5 }, () => aRecord(ports, family)));
    const entries = Array.from({ length: 600 }, (_, i) =>
      anEntry(records[i % 5] ?? { id: 0 }, {
        timestamp: MOMENT.getTime() + (i % 3) * DAY_MS,
        type: `T${i % 4}`,
      }),
    );
    const writers = Array.from({ length: 8 }, (_, w) => entries.slice(w * 50, w * 50 + 250));
    const mixed = writers.map((batch, w) => (w % 2 === 0 ? batch : batch.toReversed()));
    const deliveries = records.map((record) => aDelivery(record));
    const outcomes = await Promise.all(
      mixed.map((batch, w) =>
        ports.store.store([...batch, ...deliveries, anErrorReport(records[w % 5] ?? { id: 0 }, 'e')]),
      ),
    );
    expect(outcomes.flat().filter((outcome) => outcome === 'stored')).toHaveLength(600 + 5 + 8);
    for (const record of records) {
      const { count, items } = await ports.logs.page(record, EVERY, WHOLE);
      expect([count, items.length]).toEqual([120, 120]);
    }
  });
}
