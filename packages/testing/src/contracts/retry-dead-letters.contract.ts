import { ingest, ingestReport, retryDeadLetters, type Message } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aRecord } from '../builders/a-record.ts';
import { MOMENT, secondsLater } from '../builders/an-author.ts';
import { aDeadMessage, anEntry, anErrorReport, anOrigin } from '../builders/an-ingest-message.ts';
import type { LogPorts } from '../log-ports.ts';
import { seededRandomness } from '../builders/seeded-randomness.ts';
import type { TestWith } from '../test-with.ts';
import { EVERY, logOf } from './log-of.ts';
import { WHOLE } from './read-state.ts';

const ALL_LETTERS = { after: 0, limit: 1000 };
const INSTANCE_ID = '0197a3f0-1111-7222-8333-944455557777';
const ENTRY_ID = '0197a3f0-1111-7222-8333-944455558888';

function retrying(ports: LogPorts) {
  const clock = { now: () => MOMENT };
  return { ...ports, clock, randomness: seededRandomness(), instanceId: INSTANCE_ID, retentionDays: 7 };
}

export function retryDeadLettersContract(test: TestWith<LogPorts>): void {
  test('a dead letter whose retry fails again keeps its id, and gets the new reason', async (ports) => {
    await ingest(ports, [aDeadMessage()]);
    const [letter] = await ports.deadLetters.list(ALL_LETTERS);
    const origin = anOrigin({ deadLetterId: letter?.id ?? 0 });
    await ingest(ports, [aDeadMessage({ reason: 'invalid_message', origin }), aDeadMessage()]);
    expect(await ports.deadLetters.list(ALL_LETTERS)).toEqual([{ ...letter, reason: 'invalid_message' }]);
  });

  test('a dead letter is removed when its message is stored', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    await ingest(
      ports,
      ['a', 'b', 'c'].map((text) => aDeadMessage({ text })),
    );
    const [a, b, c] = (await ports.deadLetters.list(ALL_LETTERS)).map(({ id }) =>
      anOrigin({ deadLetterId: id }),
    );
    const entry = anEntry(record);
    const again: readonly Message[] = [
      { ...entry, ...(a && { origin: a }) },
      { ...entry, ...(b && { origin: b }) },
      aDeadMessage({ reason: 'invalid_message', ...(c && { origin: c }) }),
    ];
    expect(await ingest(ports, again)).toEqual(['stored', 'duplicate', 'invalid_message']);
    const left = await ports.deadLetters.list(ALL_LETTERS);
    expect(left.map(({ id, reason, text }) => [id, reason, text])).toEqual([
      [c?.deadLetterId, 'invalid_message', 'c'],
    ]);
  });

  test('a retry of a removed dead letter stores nothing', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const origin = anOrigin({ deadLetterId: 999 });
    expect(await ingest(ports, [anEntry(record, { origin }), aDeadMessage({ origin })])).toEqual([
      'gone',
      'gone',
    ]);
    expect((await ports.logs.page(record, EVERY, WHOLE)).count).toBe(0);
    expect(await ports.deadLetters.count()).toBe(0);
  });

  test('dead letters are retried by id or all at once', async (ports) => {
    const dependencies = retrying(ports);
    const origin = anOrigin({ receivedAt: secondsLater(-30), projectIds: [] });
    const texts = [
      '{"plugin_config_id":1,"message":"late"}',
      'never',
      '{"plugin_config_id":1,"message":"later"}',
    ];
    await ingest(
      ports,
      texts.map((text) => aDeadMessage({ text, origin, reason: 'unknown_plugin_config' })),
    );
    const ids = (await ports.deadLetters.list(ALL_LETTERS)).map(({ id }) => id);
    const record = await aRecord(ports, await aFamily(ports));
    expect(record.id).toBe(1);

    expect([...(await retryDeadLetters(dependencies, [ids[0] ?? 0, 999_999]))]).toEqual([[ids[0], 'stored']]);
    expect([...(await retryDeadLetters(dependencies, 'all'))]).toEqual([
      [ids[1], 'not_json'],
      [ids[2], 'stored'],
    ]);
    expect((await ports.deadLetters.list(ALL_LETTERS)).map(({ id, reason }) => [id, reason])).toEqual([
      [ids[1], 'not_json'],
    ]);
    const entries = await logOf(ports, record);
    expect(entries.map(({ message }) => message).toSorted()).toEqual(['late', 'later']);
    expect(entries.map(({ timestamp }) => timestamp)).toEqual([secondsLater(-30), secondsLater(-30)]);
    expect(entries[0]).toMatchObject({ source: 'PLUGIN', type: 'LOG', instanceId: INSTANCE_ID });
  });

  test('a message stored by a retry is not stored again when it is redelivered', async (ports) => {
    const text = '{"plugin_config_id":1,"message":"early"}';
    const origin = anOrigin({ channel: 'jetstream', streamTime: MOMENT });
    const delivered = anEntry({ id: 1 }, { text, origin, message: 'early' });
    expect(await ingest(ports, [delivered])).toEqual(['unknown_plugin_config']);
    const record = await aRecord(ports, await aFamily(ports));
    expect([...(await retryDeadLetters(retrying(ports), 'all')).values()]).toEqual(['stored']);
    expect(await ingest(ports, [delivered])).toEqual(['duplicate']);
    expect((await logOf(ports, record)).map(({ id }) => id)).toEqual([delivered.id]);
    expect(await ports.deadLetters.count()).toBe(0);
  });

  test('the outcomes of a retry distinguish stored messages, duplicates and removed dead letters', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const about = {
      plugin_config_id: record.id,
      id: ENTRY_ID,
      timestamp: MOMENT.toISOString(),
      message: 'm',
    };
    const texts = [about, { ...about, team_id: record.projectId }].map((text) => JSON.stringify(text));
    await ingest(
      ports,
      [...texts, 'taken', 'dropped'].map((text) => aDeadMessage({ text })),
    );
    const ids = (await ports.deadLetters.list(ALL_LETTERS)).map(({ id }) => id);
    const deadLetters = {
      ...ports.deadLetters,
      find: async (wanted: readonly number[]) => {
        const found = await ports.deadLetters.find(wanted);
        await ports.deadLetters.drop(ids.slice(2));
        return found;
      },
    };
    const outcomes = await retryDeadLetters({ ...retrying(ports), deadLetters }, ids);
    expect([...outcomes.values()]).toEqual(['stored', 'duplicate', 'gone', 'gone']);
    expect(ingestReport([...outcomes.values()])).toEqual({ stored: 1, duplicates: 1, dead: 0 });
  });

  test('a retried error report keeps its position among later reports', async (ports) => {
    const text = '{"kind":"error","plugin_config_id":1,"error":"old"}';
    const origin = anOrigin({ receivedAt: secondsLater(-30) });
    await ingest(ports, [
      anErrorReport({ id: 1 }, 'old', { text, origin, position: 8 }),
      anErrorReport({ id: 1 }, 'older', { text: text.replace('old', 'older'), origin, position: 7 }),
    ]);
    const record = await aRecord(ports, await aFamily(ports));
    expect([...(await retryDeadLetters(retrying(ports), 'all')).values()]).toEqual(['stored', 'stored']);
    expect((await ports.records.find(record)).value?.error).toBe('old');

    await ingest(ports, [anErrorReport({ id: 2 }, 'old', { text: text.replace(':1', ':2'), origin })]);
    const second = await aRecord(ports, await aFamily(ports));
    expect(second.id).toBe(2);
    await ingest(ports, [anErrorReport(second, null)]);
    expect([...(await retryDeadLetters(retrying(ports), 'all')).values()]).toEqual(['stored']);
    expect((await ports.records.find(second)).value?.error).toBeNull();
  });

  test('a retry has the permissions of the original sender', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const text = JSON.stringify({ plugin_config_id: record.id, message: 'theirs' });
    const origins = [
      anOrigin({ projectIds: [record.projectId + 1] }),
      anOrigin({ pluginIds: [record.plugin + 1] }),
    ];
    await ingest(
      ports,
      origins.map((origin) => aDeadMessage({ text, origin, reason: 'not_json' })),
    );
    const outcomes = await retryDeadLetters(retrying(ports), 'all');
    expect([...outcomes.values()]).toEqual(['unknown_plugin_config', 'unknown_plugin_config']);
    expect(await ports.deadLetters.count()).toBe(2);
  });
}
