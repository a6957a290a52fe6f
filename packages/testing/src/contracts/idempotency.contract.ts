import { DAY_MS, MASK, pluginInfo, type RecordWrite } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aJob } from '../builders/a-job.ts';
import { aPlugin } from '../builders/a-plugin.ts';
import { aRecordDraft, aRecord, mustStore } from '../builders/a-record.ts';
import { aRecordWrite } from '../builders/a-record-write.ts';
import { anApiKey } from '../builders/an-api-key.ts';
import { anAuthor, secondsLater } from '../builders/an-author.ts';
import { seededRandomness } from '../builders/seeded-randomness.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';
import { droppedBy } from './dropped-by.ts';
import { createOnce, keptRestore, queueOnce, restoreOnce, type KeyOf } from './once.ts';
import { historyOf, liveRecords, countersOf, WHOLE } from './read-state.ts';

const FIRST: KeyOf = { name: 'first', digest: 'body' };
/** The same request with another body. */
const AGAIN: KeyOf = { name: 'first', digest: 'other' };

/** Requests that are repeated with the same key. */
export function idempotencyContract(test: TestWith<Ports>): void {
  test('a record is created once, and its first response is repeated', async (ports) => {
    const [family, author] = [await aFamily(ports), await authorOf(ports)];
    const configSchema = [{ key: 'a', type: 'string', default: '\u0007' }] as const;
    await ports.plugins.register(aPlugin({ id: 7, configSchema }), new Map(), anAuthor());
    const create = (key: KeyOf, after: number) => {
      const options = { author: { ...author, at: secondsLater(after) }, requireRegistered: true };
      return mustStore(createOnce(ports.records, family, aRecordDraft({ plugin: 7 }), options, key));
    };
    const first = await create(FIRST, 1.234);
    expect(first).toMatchObject({ isFirst: true, digest: 'body' });
    expect((await ports.records.find(first.value)).value).toEqual(first.value);
    await ports.records.save(aRecordWrite(first.value, { name: 'Changed since' }));
    const counters = await countersOf(ports, family);
    expect(await create(AGAIN, 9)).toEqual({ ...first, isFirst: false });
    expect(await countersOf(ports, family)).toEqual(counters);
    expect(await liveRecords(ports, family)).toHaveLength(1);
  });

  test('a job is queued once, and its first response is repeated even if the version has changed', async (ports) => {
    const author = await authorOf(ports);
    const record = await aRecord(ports, await aFamily(ports));
    const { uuid } = seededRandomness();
    const queue = (key: KeyOf) => {
      const job = aJob(record, { id: uuid(), actor: author.actor });
      const response = { jobId: job.id, record };
      return queueOnce(ports.jobs, { job, response, precondition: [record.version], key });
    };
    const first = await queue(FIRST);
    expect(first.isFirst).toBe(true);
    await ports.records.save(aRecordWrite(record, { name: 'Changed since' }));
    expect(await queue(AGAIN)).toEqual({ ...first, isFirst: false });
    await expect(queue({ ...FIRST, name: 'second' })).rejects.toMatchObject({ code: 'stale_version' });
    const { items } = await ports.jobs.page(record, { state: null }, WHOLE);
    expect(items.map(({ id }) => id)).toEqual([first.value.jobId]);
    expect((await historyOf(ports, record)).filter(({ activity }) => activity === 'job_queued')).toHaveLength(
      1,
    );
  });

  test('a repeated response shows the current configuration and plugin', async (ports) => {
    const [family, author] = [await aFamily(ports), await authorOf(ports)];
    const seeded = aPlugin({ id: 7, configSchema: [{ key: 'token', type: 'string', default: 'plain' }] });
    await ports.plugins.register(seeded, new Map(), anAuthor());
    const create = () => {
      const options = { author, requireRegistered: false };
      return mustStore(createOnce(ports.records, family, aRecordDraft({ plugin: 7 }), options, FIRST));
    };
    const { value: record } = await create();
    const queue = () => {
      const job = aJob(record, { actor: author.actor });
      const response = { jobId: job.id, record };
      return queueOnce(ports.jobs, { job, response, precondition: null, key: { ...FIRST, name: 'job' } });
    };
    const { value: first } = await queue();
    expect([record.config, first.record.config]).toEqual(['{"token":"plain"}', '{"token":"plain"}']);
    const secret = aPlugin({ id: 7, configSchema: [{ key: 'token', type: 'string', secret: true }] });
    await ports.plugins.register(secret, new Map(), anAuthor());
    const { registryVersion } = await ports.plugins.registration(7);
    await ports.records.save(
      aRecordWrite({ ...record, registryVersion }, {}, { values: '{"token":"hunter2"}' }),
    );
    const now = { config: `{"token":"${MASK}"}`, pluginInfo: pluginInfo(secret) };
    expect((await create()).value).toMatchObject({ ...now, id: record.id, version: 1 });
    expect(await queue()).toMatchObject({ isFirst: false, value: { jobId: first.jobId, record: now } });
  });

  test('a restore takes effect once, even if it changes nothing, and its first response is repeated', async (ports) => {
    const [family, author] = [await aFamily(ports), await authorOf(ports)];
    const before = await aRecord(ports, family, { name: 'Now' });
    const restore = (key: KeyOf, write: RecordWrite | null, of = before) =>
      restoreOnce(ports.revisions, { before: of, write, missing: ['token'], key, author });
    const back = { ...aRecordWrite(before, { name: 'Then' }), ended: { config: null } };
    expect(await keptRestore(ports.revisions, FIRST)).toBeNull();
    const first = await restore(FIRST, back);
    const { value: stored } = await ports.records.find(before);
    expect(first).toEqual({
      value: { record: stored, missing: ['token'] },
      digest: 'body',
      isFirst: true,
    });
    expect(await restore({ ...FIRST, name: 'late' }, back)).toBeNull();
    expect(await keptRestore(ports.revisions, { ...FIRST, name: 'late' })).toBeNull();
    if (stored === null) throw new Error('The record is gone.');
    await ports.records.save(aRecordWrite(stored, { name: 'Changed since' }));
    const counters = await countersOf(ports, family);
    expect(await restore(AGAIN, back)).toEqual({ ...first, isFirst: false });
    expect(await keptRestore(ports.revisions, AGAIN)).toEqual({ ...first, isFirst: false });
    const { value: now } = await ports.records.find(before);
    const idle = { ...FIRST, name: 'idle' };
    expect(await restore(idle, null, now ?? before)).toMatchObject({ isFirst: true, value: { record: now } });
    expect(await restore(idle, null, now ?? before)).toMatchObject({
      isFirst: false,
      value: { record: now },
    });
    expect(await countersOf(ports, family)).toEqual(counters);
    expect((await ports.revisions.page(before, WHOLE)).count).toBe(2);
    const overtaken = { ...FIRST, name: 'overtaken' };
    expect(await restore(overtaken, null, stored)).toBeNull();
    expect(await keptRestore(ports.revisions, overtaken)).toBeNull();
  });

  test('a repeated restore shows no value that has become secret since', async (ports) => {
    const [family, author] = [await aFamily(ports), await authorOf(ports)];
    const created = await aRecord(ports, family, { plugin: 7 });
    const config = '{"token":"hunter2"}';
    const before = (await ports.records.save(aRecordWrite(created, { config }))) ?? created;
    const restore = () =>
      restoreOnce(ports.revisions, { before, write: null, missing: [], key: FIRST, author });
    expect((await restore())?.value.record.config).toBe(config);
    const secret = aPlugin({ id: 7, configSchema: [{ key: 'token', type: 'string', secret: true }] });
    await ports.plugins.register(secret, new Map(), anAuthor());
    expect((await restore())?.value.record.config).toBe(`{"token":"${MASK}"}`);
    expect((await keptRestore(ports.revisions, FIRST))?.value.record.config).toBe(`{"token":"${MASK}"}`);
  });

  test('a rejection is not stored', async (ports) => {
    const [family, author] = [await aFamily(ports), await authorOf(ports)];
    const options = { author, requireRegistered: true };
    const create = () => createOnce(ports.records, family, aRecordDraft({ plugin: 7 }), options, FIRST);
    await expect(create()).rejects.toMatchObject({ code: 'does_not_exist' });
    await ports.plugins.register(aPlugin({ id: 7 }), new Map(), anAuthor());
    expect(await create()).toMatchObject({ isFirst: true });
  });

  test('a response is stored for a day; then the request takes effect again', async (ports) => {
    const [family, author] = [await aFamily(ports), await authorOf(ports)];
    const options = { author, requireRegistered: false };
    const create = (name: string) =>
      mustStore(createOnce(ports.records, family, aRecordDraft(), options, { ...FIRST, name }));
    await create('old');
    await ports.passTime(DAY_MS - 60_000);
    await create('young');
    expect(await droppedBy(ports.retention.keptResponses(DAY_MS))).toBe(0);
    expect((await create('old')).isFirst).toBe(false);
    await ports.passTime(60_000);
    expect(await droppedBy(ports.retention.keptResponses(DAY_MS))).toBe(1);
    expect([(await create('young')).isFirst, (await create('old')).isFirst]).toEqual([false, true]);
  });
}

async function authorOf({ keys }: Ports) {
  const { id: keyId, label } = await keys.add(anApiKey(), anAuthor());
  return anAuthor({ actor: { keyId, label } });
}
