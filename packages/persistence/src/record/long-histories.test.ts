import type { ConfigRecord, SealedSecrets } from '@plugin-config/domain';
import { aFamily, aRecord, aRecordWrite } from '@plugin-config/testing';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { portsOf } from '../testing/postgres-ports.fixture.ts';

const withEmptied = databaseOfFile();

const ENTRIES = 800;
const SECRETS: SealedSecrets = new Map([['token', 'sealed']]);
const SEALED = { config: '{"token":"********"}' };

/** Adds entries that each hold the secret in the clear and 60 KiB of another field. */
async function addHistory(pool: pg.Pool, { id }: ConfigRecord, entries: number): Promise<void> {
  await pool.query(
    `insert into activity (record_id, activity, created_at, actor_label, changes)
    select $1, 'config_updated', now(), 'key', json_build_array(
      json_build_object('field', 'config.token', 'before', null, 'after', 'clear'),
      json_build_object('field', 'config.text', 'before', null, 'after', repeat('x', 60000)))
    from generate_series(1, $2)`,
    [id, entries],
  );
}

async function inTheClear(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::integer as count from activity where changes::text like '%"clear"%'`,
  );
  return rows[0]?.count ?? 0;
}

function isSealed(answer: unknown): boolean {
  return answer instanceof Object && 'config' in answer && answer.config === SEALED.config;
}

/** A patience that ends after this number of calls. */
function patienceOf(calls: number): { left(): number } {
  let left = calls;
  return { left: () => (left-- > 0 ? 2_000 : 0) };
}

test('other changes of the family are stored while a long history is masked', () =>
  withEmptied(async (database) => {
    const ports = portsOf(database);
    const family = await aFamily(ports);
    const [long, other] = [await aRecord(ports, family), await aRecord(ports, family)];
    await addHistory(database.pool, long, ENTRIES);
    const sealed = new AbortController();
    const until = performance.now() + 20_000;
    const patience = { left: () => until - performance.now() };
    const sealing = ports.records
      .save({ ...aRecordWrite(long, SEALED, { secrets: SECRETS }), patience })
      .finally(() => sealed.abort());
    let [record, stored]: [ConfigRecord | null, number] = [other, 0];
    while (!sealed.signal.aborted && record !== null) {
      const end = performance.now() + 600;
      const write = aRecordWrite(record, { name: `Name ${stored}` });
      record = await ports.records.save({ ...write, patience: { left: () => end - performance.now() } });
      stored++;
    }
    expect(await sealing).toMatchObject(SEALED);
    expect(stored).toBeGreaterThan(20);
    expect(await inTheClear(database.pool)).toBe(0);
  }));

test('a request that runs out of patience keeps its masked entries, and the next one continues', () =>
  withEmptied(async (database) => {
    const ports = portsOf(database);
    const record = await aRecord(ports, await aFamily(ports));
    await addHistory(database.pool, record, 400);
    const left: number[] = [];
    const ask = () =>
      ports.records.save({
        ...aRecordWrite(record, SEALED, { secrets: SECRETS }),
        patience: patienceOf(6),
      });
    const answers: unknown[] = [];
    while (!isSealed(answers.at(-1)) && answers.length < 20) {
      answers.push(await ask().catch((error: unknown) => error));
      left.push(await inTheClear(database.pool));
    }
    const refused = answers.slice(0, -1);
    expect(refused).toMatchObject(refused.map(() => ({ code: 'busy', retryAfterSeconds: 2 })));
    expect(answers.at(-1)).toMatchObject(SEALED);
    expect(left.length).toBeGreaterThan(2);
    expect(left).toEqual(left.toSorted((a, b) => b - a));
    expect(left[0]).toBeLessThan(400);
    expect(left.at(-1)).toBe(0);
  }));
