import { aFamily, anAuthor, aRecord, aRecordDraft, aRecordWrite } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { openDatabase } from '../configuration/encrypted-database.ts';
import { postgresPorts } from '../postgres-ports.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { LOSSES, lossyProxy } from '../testing/lossy-proxy.ts';
import { TEST_KEYS } from '../testing/test-keys.ts';

const withEmptied = databaseOfFile();
const OPTIONS = { author: anAuthor(), requireRegistered: false };
const BATCHES = 10;
const PER_BATCH = 12;
const everySecond = (nth: number): boolean => nth % 2 === 0;

/** Runs work in batches, since the writes of a tick share a statement. */
async function inBatches<T>(work: (i: number) => Promise<T>): Promise<readonly PromiseSettledResult<T>[]> {
  const outcomes: PromiseSettledResult<T>[] = [];
  for (let batch = 0; batch < BATCHES; batch++) {
    const writes = Array.from({ length: PER_BATCH }, (_, i) => work(batch * PER_BATCH + i));
    outcomes.push(...(await Promise.allSettled(writes)));
  }
  return outcomes;
}

test.each(LOSSES)('no record is created twice when responses are lost (%s)', (loss) =>
  withEmptied(async (database, url) => {
    const family = await aFamily(postgresPorts(database));
    await using proxy = await lossyProxy(url, { request: 'create_records', loss, isLost: everySecond });
    const behind = openDatabase({ url: proxy.url, poolSize: 3, masterKeys: TEST_KEYS });
    const { create } = postgresPorts(behind).records;
    const outcomes = await inBatches((i) => create(family, aRecordDraft({ name: `${i}` }), OPTIONS));
    await behind.close();
    const { rows } = await database.pool.query<{ count: number }>(
      'select count(*)::integer from config_record group by name',
    );
    expect(rows.filter(({ count }) => count > 1)).toHaveLength(0);
    expect(rows).toHaveLength(BATCHES * PER_BATCH);
    const failed = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(failed).toHaveLength(proxy.lostCount() * PER_BATCH);
    expect(proxy.lostCount()).toBe(BATCHES / 2);
    for (const reason of failed) expect(reason).toMatchObject({ code: 'unavailable' });
  }),
);

test.each(LOSSES)('no change counts as outdated when responses are lost (%s)', (loss) =>
  withEmptied(async (database, url) => {
    const ports = postgresPorts(database);
    const family = await aFamily(ports);
    const records = await inBatches(() => aRecord(ports, family));
    await using proxy = await lossyProxy(url, { request: 'save_records', loss, isLost: everySecond });
    const behind = openDatabase({ url: proxy.url, poolSize: 3, masterKeys: TEST_KEYS });
    const { save } = postgresPorts(behind).records;
    const outcomes = await inBatches(async (i) => {
      const record = records[i];
      if (record?.status !== 'fulfilled') throw new Error('The record was not created.');
      return save(aRecordWrite(record.value, { name: 'Changed' }));
    });
    await behind.close();
    const outdated = outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value === null);
    expect(outdated).toHaveLength(0);
    const failed = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(failed).toHaveLength(proxy.lostCount() * PER_BATCH);
    expect(proxy.lostCount()).toBe(BATCHES / 2);
    for (const reason of failed) expect(reason).toMatchObject({ code: 'unavailable' });
  }),
);
