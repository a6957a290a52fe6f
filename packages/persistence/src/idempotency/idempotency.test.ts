import { DomainError, KEPT_MAX_PER_KEY, KEPT_OVERHEAD_BYTES, type FamilyRef } from '@plugin-config/domain';
import {
  aFamily,
  aJob,
  anApiKey,
  anAuthor,
  aPlugin,
  aRecord,
  aRecordDraft,
  createOnce,
  mustStore,
  queueOnce,
  type KeyOf,
  type Once,
} from '@plugin-config/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openDatabase, type Database } from '../index.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { postgresPorts } from '../postgres-ports.ts';
import { TEST_KEYS } from '../testing/test-keys.ts';

const withEmptied = databaseOfFile();

/** The response to the creation of the first record. */
const RESPONSE = '{"record":{"id":1,"plugin":7}}';
const KEY: KeyOf = { name: 'request', digest: 'body' };
const AUTHOR = anAuthor({ actor: { keyId: 1, label: 'key' } });
const WAITING = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
const OPTIONS = { author: AUTHOR, requireRegistered: false };

test('a request that is sent to two processes fifty times at once takes effect once', () =>
  withEmptied(async (database, url) => {
    const other = openDatabase({ url, poolSize: 10, masterKeys: TEST_KEYS });
    const sides = [postgresPorts(database), postgresPorts(other)] as const;
    const family = await aFamily(sides[0]);
    const creations = Array.from({ length: 50 }, (_, i) =>
      mustStore(createOnce(sides[i % 2 === 0 ? 0 : 1].records, family, aRecordDraft(), OPTIONS, KEY)),
    );
    const created = await Promise.all(creations);
    expect([idsOf(created.map(({ value }) => value.id)), firstOnes(created)]).toEqual([1, 1]);
    const record = created[0]?.value ?? (await aRecord(sides[0], family));
    const orders = Array.from({ length: 50 }, (_, i) => {
      const job = aJob(record, { id: crypto.randomUUID(), actor: AUTHOR.actor });
      const response = { jobId: job.id, record };
      const order = { job, response, precondition: null, key: { ...KEY, name: 'job' } };
      return queueOnce(sides[i % 2 === 0 ? 0 : 1].jobs, order);
    });
    const queued = await Promise.all(orders);
    expect([idsOf(queued.map(({ value }) => value.jobId)), firstOnes(queued)]).toEqual([1, 1]);
    await other.close();
  }));

test('queueing a job waits for a concurrent change to its record, and sees the new version', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const record = await aRecord(ports, await aFamily(ports));
    const holder = await database.pool.connect();
    await holder.query('begin; select from config_family for no key update');
    const queueing = ports.jobs.queue(aJob(record), [record.version]);
    queueing.catch(() => undefined);
    await expect.poll(async () => (await database.pool.query(WAITING)).rowCount).toBe(1);
    await holder.query('update config_record set version = version + 1; commit');
    holder.release();
    await expect(queueing).rejects.toMatchObject({ code: 'stale_version' });
  }));

test.each([
  ['responses', KEPT_MAX_PER_KEY.responses, 1],
  ['bytes', 2, KEPT_MAX_PER_KEY.bytes],
] as const)(
  'an API key with too many kept %s in a family is rejected; other keys are not',
  (_, responses, bytes) =>
    withEmptied(async (database) => {
      const ports = postgresPorts(database);
      const [family, elsewhere] = [await aFamily(ports), await aFamily(ports)];
      const { id: keyId } = await ports.keys.add(anApiKey(), anAuthor());
      await aRecord(ports, family);
      await keep(database, family, { keyId: 1, responses, bytes });
      const create = (where: FamilyRef, by: number) =>
        createOnce(
          ports.records,
          where,
          aRecordDraft(),
          { ...OPTIONS, author: anAuthor({ actor: { keyId: by, label: 'key' } }) },
          { ...KEY, name: `${where.projectId} ${by}` },
        );
      await expect(create(family, 1)).rejects.toMatchObject({
        code: 'throttled',
        retryAfterSeconds: expect.toSatisfy(isAboutTwelveHours),
      });
      const record = await aRecord(ports, family);
      const job = aJob(record, { actor: AUTHOR.actor });
      const order = { job, response: { jobId: job.id, record }, precondition: null, key: KEY };
      await expect(queueOnce(ports.jobs, order)).rejects.toMatchObject({ code: 'throttled' });
      expect(await create(elsewhere, 1)).toMatchObject({ isFirst: true });
      expect(await create(family, keyId + 1)).toMatchObject({ isFirst: true });
      const replay = await createOnce(ports.records, family, aRecordDraft(), OPTIONS, {
        ...KEY,
        name: 'kept 1',
      });
      expect(replay?.isFirst).toBe(false);
    }),
);

const NEAR_THE_LIMIT = fc.record({
  responses: fc.constantFrom(2, KEPT_MAX_PER_KEY.responses - 1, KEPT_MAX_PER_KEY.responses),
  over: fc.integer({ min: -2, max: 2 }),
});

test('the limits on kept responses of an API key are those of the domain', () =>
  fc.assert(
    fc.asyncProperty(NEAR_THE_LIMIT, ({ responses, over }) =>
      withEmptied(async (database) => {
        const ports = postgresPorts(database);
        const family = await aFamily(ports);
        const first = RESPONSE.length + KEPT_OVERHEAD_BYTES;
        const each = Math.floor((KEPT_MAX_PER_KEY.bytes - first) / (responses - 1)) + over;
        await keep(database, family, { keyId: 1, responses, bytes: each });
        const created = createOnce(ports.records, family, aRecordDraft(), OPTIONS, KEY).then(
          () => null,
          (error: unknown) => (error instanceof DomainError ? error.code : error),
        );
        const bytes = first + (responses - 1) * each;
        const isFull = responses >= KEPT_MAX_PER_KEY.responses || bytes >= KEPT_MAX_PER_KEY.bytes;
        expect(await created).toBe(isFull ? 'throttled' : null);
      }),
    ),
    { numRuns: 15 },
  ));

test('a kept response contains neither the configuration nor the plugin', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const family = await aFamily(ports);
    await ports.plugins.register(
      aPlugin({
        id: 7,
        description: 'as registered',
        configSchema: [{ key: 'host', type: 'string', default: 'plain' }],
      }),
      new Map(),
      anAuthor(),
    );
    const draft = aRecordDraft({ plugin: 7 });
    const { value: record } = await mustStore(createOnce(ports.records, family, draft, OPTIONS, KEY));
    expect(record).toMatchObject({ config: '{"host":"plain"}', pluginInfo: expect.any(String) });
    const job = aJob(record, { actor: AUTHOR.actor });
    const key = { ...KEY, name: 'job' };
    await queueOnce(ports.jobs, { job, response: { jobId: job.id, record }, precondition: null, key });
    const { rows } = await database.pool.query<{ row: string }>('select k::text as row from kept_response k');
    expect(rows).toHaveLength(2);
    for (const { row } of rows) expect(row).not.toMatch(/plain|as registered/);
  }));

test('each response is counted once with its bytes', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const family = await aFamily(ports);
    await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        createOnce(ports.records, family, aRecordDraft(), OPTIONS, { ...KEY, name: String(i) }),
      ),
    );
    const record = await aRecord(ports, family);
    const job = aJob(record, { actor: AUTHOR.actor });
    await queueOnce(ports.jobs, { job, response: { jobId: job.id, record }, precondition: null, key: KEY });
    const { rows } = await database.pool.query<{ number: string; bytes: string; own: string }>(`
      select number, total_bytes - lag(total_bytes, 1, 0) over (order by number) as bytes,
        octet_length(response::text) + 300 as own
      from kept_response order by number`);
    expect(rows.map(({ number }) => Number(number))).toEqual(Array.from({ length: 11 }, (_, i) => i + 1));
    for (const { bytes, own } of rows) expect(Number(bytes)).toBe(Number(own));
  }));

function isAboutTwelveHours(seconds: number): boolean {
  return seconds > 42_000 && seconds <= 43_200;
}

function idsOf(ids: readonly unknown[]): number {
  return new Set(ids).size;
}

function firstOnes(outcomes: readonly Once<unknown>[]): number {
  return outcomes.filter(({ isFirst }) => isFirst).length;
}

/**
 * Stores responses as if the API key had received them twelve hours ago. Only stores the first and the last one, since each
 * has its number and the bytes of all responses up to it.
 */
async function keep(
  { pool }: Database,
  { projectId, family }: FamilyRef,
  { keyId, responses, bytes }: { readonly keyId: number; readonly responses: number; readonly bytes: number },
): Promise<void> {
  await pool.query(
    `insert into kept_response (
      name, project_id, family, key_id, digest, response, kept_at, number, total_bytes
    )
    select 'kept ' || n, $1, $2, $3, 'body', $6::json, now() - interval '12 hours', n, n * $5::bigint
    from unnest(array[1, $4::integer]) n`,
    [projectId, family, keyId, responses, bytes, RESPONSE],
  );
}
