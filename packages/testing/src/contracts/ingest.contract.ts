import { DAY_MS, ingest, ingestReport, type LogEntry, type Message } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aRecord } from '../builders/a-record.ts';
import { aRecordWrite } from '../builders/a-record-write.ts';
import { MOMENT } from '../builders/an-author.ts';
import { aDeadMessage, aDelivery, anEntry, anErrorReport, anOrigin } from '../builders/an-ingest-message.ts';
import type { LogPorts } from '../log-ports.ts';
import type { TestWith } from '../test-with.ts';
import { EVERY, logOf } from './log-of.ts';
import { WHOLE } from './read-state.ts';

const ALL_LETTERS = { after: 0, limit: 1000 };

export function ingestContract(test: TestWith<LogPorts>): void {
  test('a stored entry has the message, and the project and plugin of its record', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports), { plugin: 42 });
    const entry = anEntry(record, { source: 'CONSOLE', type: 'A_TYPE_OF_ITS_OWN', message: 'é 🚀 \\ \n\t"' });
    expect(await ingest(ports, [entry])).toEqual(['stored']);
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

  test('an entry has the plugin that its record attached when it was stored', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports), { plugin: 7 });
    await ingest(ports, [anEntry(record)]);
    await ports.records.save(aRecordWrite(record, { plugin: 8 }));
    await ingest(ports, [anEntry(record, { timestamp: MOMENT.getTime() + 1, plugin: 8 })]);
    expect((await logOf(ports, record)).map(({ plugin }) => plugin)).toEqual([8, 7]);
  });

  test('a deleted record accepts entries', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports), { deleted: true });
    expect(await ingest(ports, [anEntry(record)])).toEqual(['stored']);
  });

  test('a message that contradicts its record becomes a dead letter with the reason, and the others are stored', async (ports) => {
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
      'unknown_plugin_config',
      'wrong_team_id',
      'wrong_plugin_id',
      'no_log',
      'not_json',
    ];
    expect(await ingest(ports, messages)).toEqual([
      ...reasons,
      'unknown_plugin_config',
      'unknown_plugin_config',
      'stored',
    ]);
    expect(await ports.deadLetters.count()).toBe(8);
    expect((await ports.logs.page(record, EVERY, WHOLE)).count).toBe(1);
  });

  test('overlapping batches of concurrent writers are stored once and counted exactly', async (ports) => {
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
        ingest(ports, [...batch, ...deliveries, anErrorReport(records[w % 5] ?? { id: 0 }, 'e')]),
      ),
    );
    const stored = mixed.flatMap((batch, w) => batch.filter((_, at) => outcomes[w]?.[at] === 'stored'));
    expect(stored).toHaveLength(entries.length);
    expect(new Set(stored)).toEqual(new Set(entries));
    const deliveriesStored = outcomes.flatMap((batch) =>
      batch.slice(-6, -1).filter((outcome) => outcome === 'stored'),
    );
    expect(deliveriesStored).toHaveLength(5);
    for (const record of records) {
      const { count, items } = await ports.logs.page(record, EVERY, WHOLE);
      expect([count, items.length]).toEqual([120, 120]);
    }
  });

  test('messages that cannot be stored are found, and all others are stored', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const messages: readonly Message[] = Array.from({ length: 200 }, (_, i) => {
      if (i % 67 === 5) return anEntry(record, { message: `bad \0 ${i}`, text: `${i}` });
      return i % 50 === 1 ? aDelivery(record) : anEntry(record);
    });
    const outcomes = await ingest(ports, messages);
    expect(ingestReport(outcomes)).toEqual({ stored: 197, duplicates: 0, dead: 3 });
    expect(outcomes.flatMap((outcome, i) => (outcome === 'unstorable' ? [i] : []))).toEqual([5, 72, 139]);
    const letters = await ports.deadLetters.list(ALL_LETTERS);
    expect(letters.map(({ reason, text }) => [reason, text])).toEqual([
      ['unstorable', '5'],
      ['unstorable', '72'],
      ['unstorable', '139'],
    ]);
  });
}
