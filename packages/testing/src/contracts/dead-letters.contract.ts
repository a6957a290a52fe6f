import { ingest, MESSAGE_TEXT_MAX, type Message } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aRecord } from '../builders/a-record.ts';
import { MOMENT, secondsLater } from '../builders/an-author.ts';
import { aDeadMessage, aDelivery, anEntry, anErrorReport, anOrigin } from '../builders/an-ingest-message.ts';
import type { LogPorts } from '../log-ports.ts';
import type { TestWith } from '../test-with.ts';

const ALL_LETTERS = { after: 0, limit: 1000 };
const ANOTHER_ID = '0197a3f2-5a1b-7c3d-8e4f-9a0b1c2d3e4f';

/** Ingestion turns each message that it cannot store into a dead letter. */
export function deadLettersContract(test: TestWith<LogPorts>): void {
  test('a dead letter keeps everything needed for a retry', async (ports) => {
    const origin = anOrigin({
      channel: 'jetstream',
      receivedAt: secondsLater(5),
      streamTime: secondsLater(4),
      projectIds: [3, 1],
      pluginIds: [8, 7],
      owner: 'account 9',
    });
    await ingest(ports, [
      aDeadMessage({ text: '{"é": "🚀\\u0000"}', origin, position: 17 }),
      aDeadMessage({ text: '' }),
    ]);
    const [first, second] = await ports.deadLetters.list(ALL_LETTERS);
    expect(first).toEqual({
      id: first?.id,
      channel: 'jetstream',
      receivedAt: secondsLater(5),
      streamTime: secondsLater(4),
      projectIds: [3, 1],
      pluginIds: [8, 7],
      owner: 'account 9',
      recordId: null,
      position: 17,
      reason: 'not_json',
      entryId: null,
      text: '{"é": "🚀\\u0000"}',
      missing: 0,
    });
    expect(second).toMatchObject({ streamTime: null, projectIds: [], text: '' });
  });

  test('a dead letter belongs to the project of its record or, if the sender may not write there, to the sender', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const project = `project ${record.projectId}`;
    const plugin = record.plugin + 1;
    const own = anOrigin({ owner: 'account 9', projectIds: [record.projectId, 999] });
    const foreign = anOrigin({ owner: 'project 999', projectIds: [999] });
    await ingest(ports, [
      anEntry(record, { plugin, origin: own }),
      anEntry(record, { origin: foreign }),
      anEntry({ id: 999_999 }, { origin: own }),
      aDeadMessage({ origin: own }),
      aDeadMessage({ text: '{}', origin: own, recordId: record.id, reason: 'invalid_message' }),
      aDeadMessage({ text: '{}', origin: foreign, recordId: record.id, reason: 'invalid_message' }),
    ]);
    const letters = await ports.deadLetters.list(ALL_LETTERS);
    expect(letters.map(({ reason, owner, recordId }) => [reason, owner, recordId])).toEqual([
      ['wrong_plugin_id', project, record.id],
      ['unknown_plugin_config', 'project 999', record.id],
      ['unknown_plugin_config', 'account 9', 999_999],
      ['not_json', 'account 9', null],
      ['invalid_message', project, record.id],
      ['invalid_message', 'project 999', record.id],
    ]);
  });

  test('a dead letter holds any text, and the beginning of a huge one', async (ports) => {
    const texts = ['a\0b\ud800', 'x'.repeat(MESSAGE_TEXT_MAX + 5)];
    await ingest(
      ports,
      texts.map((text) => aDeadMessage({ text })),
    );
    const letters = await ports.deadLetters.list(ALL_LETTERS);
    expect(letters.map(({ text, missing }) => [text.length, missing])).toEqual([
      [4, 0],
      [MESSAGE_TEXT_MAX, 5],
    ]);
    expect(letters[0]?.text).toBe('a\uFFFDb\uFFFD');
  });

  test('a redelivered message is the same dead letter, and is reported as dead each time', async (ports) => {
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
    expect(await ingest(ports, batch)).toEqual(reasons);
    const letters = await ports.deadLetters.list(ALL_LETTERS);
    expect(await ingest(ports, [...batch.toReversed(), ...batch])).toEqual([
      ...reasons.toReversed(),
      ...reasons,
    ]);
    expect(await ports.deadLetters.list(ALL_LETTERS)).toEqual(letters);
    expect(letters.map(({ entryId }) => entryId !== null)).toEqual([false, true, true, false, false]);
  });

  test('a message with an id is the same dead letter in another push, and one without is a different one', async (ports) => {
    const lost = { id: 999_999 };
    const batch: readonly Message[] = [
      anEntry(lost),
      aDelivery(lost),
      anErrorReport(lost, 'broken'),
      aDeadMessage(),
    ];
    const pushed = (pushId: string): readonly Message[] =>
      batch.map((message) => ({ ...message, origin: anOrigin({ pushId }) }));
    await ingest(ports, [...pushed('a'), ...pushed('b')]);
    await ingest(ports, [...pushed('b'), ...pushed('c')]);
    const letters = await ports.deadLetters.list(ALL_LETTERS);
    const texts = [...batch.map(({ text }) => text), ...[2, 3, 2, 3].map((n) => batch[n]?.text)];
    expect(letters.map(({ text }) => text)).toEqual(texts);
  });

  test('messages with different content or origin are separate dead letters', async (ports) => {
    const entry = anEntry({ id: 999_999 });
    const batch: readonly Message[] = [
      entry,
      { ...entry, text: '{}' },
      { ...entry, id: ANOTHER_ID },
      { ...entry, timestamp: entry.timestamp + 1 },
      { ...entry, origin: anOrigin({ channel: 'ndjson' }) },
      { ...entry, origin: anOrigin({ streamTime: MOMENT }) },
      { ...entry, origin: anOrigin({ projectIds: [1] }) },
      { ...entry, origin: anOrigin({ owner: 'account 2' }) },
    ];
    await ingest(ports, batch);
    expect(await ports.deadLetters.count()).toBe(batch.length);
  });

  test('a redelivered message whose dead letter was dropped becomes a dead letter again', async (ports) => {
    await ingest(ports, [aDeadMessage()]);
    await ports.deadLetters.dropAll();
    await ingest(ports, [aDeadMessage()]);
    expect(await ports.deadLetters.count()).toBe(1);
  });

  test('concurrent writers of the same dead letters store each of them once', async (ports) => {
    const batch = Array.from({ length: 300 }, (_, i) => aDeadMessage({ text: `${i}` }));
    const writers = Array.from({ length: 8 }, (_, w) => (w % 2 === 0 ? batch : batch.toReversed()));
    await Promise.all(writers.map((messages) => ingest(ports, messages)));
    const letters = await ports.deadLetters.list(ALL_LETTERS);
    expect(new Set(letters.map(({ text }) => text)).size).toBe(300);
    expect(letters).toHaveLength(300);
  });
}
