import type { ConfigRecord, SealedSecrets } from '@plugin-config/domain';
import { aFamily, anAuthor, aPlugin, aRecord, aRecordWrite } from '@plugin-config/testing';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { postgresPorts, type PostgresPorts } from '../postgres-ports.ts';
import { postgresHistoryMasking } from './postgres-history-masking.ts';

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

const EVERY_CHANGE = { recordId: null, activity: null, actor: null, after: null, before: null };

/** What the histories of the record and of its family show. */
async function pageOf(ports: PostgresPorts, record: ConfigRecord): Promise<string> {
  const page = { limit: 10, offset: 0 };
  const own = await ports.activity.page(record, page);
  const ofFamily = await ports.activity.familyPage(record, EVERY_CHANGE, page);
  expect(ofFamily).toEqual({
    count: own.count,
    items: own.items.map((entry) => ({ ...entry, recordId: record.id })),
  });
  return JSON.stringify([own, ofFamily]);
}

test(
  'a value that becomes secret is no longer shown from a long history, and soon masked in the table',
  { tags: ['long'] },
  () =>
    withEmptied(async (database) => {
      const ports = postgresPorts(database);
      const record = await aRecord(ports, await aFamily(ports));
      await addHistory(database.pool, record, ENTRIES);
      expect(await pageOf(ports, record)).toContain('"clear"');
      const sealed = await ports.records.save(aRecordWrite(record, SEALED, { secrets: SECRETS }));
      expect(sealed).toMatchObject(SEALED);
      expect(await pageOf(ports, record)).not.toContain('"clear"');
      expect(await inTheClear(database.pool)).toBe(ENTRIES);
      const left: number[] = [];
      while (left.at(-1) !== 0) {
        for await (const _ of postgresHistoryMasking(database).maskNoted()) break;
        left.push(await inTheClear(database.pool));
      }
      expect(left.length).toBeGreaterThan(2);
      expect(left).toEqual([...new Set(left)].toSorted((a, b) => b - a));
    }),
);

test('a secret that is cleared again stays masked in the history', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const record = await aRecord(ports, await aFamily(ports));
    await addHistory(database.pool, record, 1);
    const sealed = await ports.records.save(aRecordWrite(record, SEALED, { secrets: SECRETS }));
    const cleared = aRecordWrite(sealed ?? record, { config: '{}' }, { secrets: new Map() });
    expect(await ports.records.save(cleared)).toMatchObject({ config: '{}' });
    expect(await pageOf(ports, record)).not.toContain('"clear"');
    for await (const _ of postgresHistoryMasking(database).maskNoted());
    expect(await inTheClear(database.pool)).toBe(0);
    expect((await database.pool.query('select from unmasked_history')).rows).toEqual([]);
    expect(await pageOf(ports, record)).not.toContain('"clear"');
  }));

test('the history of a family masks for each entry what is secret in its own record', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const family = await aFamily(ports);
    const records: ConfigRecord[] = [];
    for (const plugin of [7, 7, 8]) records.push(await aRecord(ports, family, { plugin }));
    const [declared, alsoDeclared, sealed] = records;
    for (const record of records) await addHistory(database.pool, record, 2);
    const plugin = aPlugin({ id: 7, configSchema: [{ key: 'token', type: 'string', secret: true }] });
    await ports.plugins.register(plugin, { config: '{}', secrets: new Map() }, anAuthor());
    const shown = async (): Promise<readonly unknown[]> => {
      const page = { limit: 10, offset: 0 };
      const { items } = await ports.activity.familyPage(
        family,
        { ...EVERY_CHANGE, activity: 'config_updated' },
        page,
      );
      return items.filter(({ changes }) => changes[0]?.after === 'clear').map(({ recordId }) => recordId);
    };
    expect(await shown()).toEqual([sealed?.id, sealed?.id]);
    if (sealed !== undefined) await ports.records.save(aRecordWrite(sealed, SEALED, { secrets: SECRETS }));
    expect(await shown()).toEqual([]);
    expect([declared?.plugin, alsoDeclared?.plugin]).toEqual([7, 7]);
  }));

test('what a plugin declares secret is no longer shown from any history, from its registration on', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const record = await aRecord(ports, await aFamily(ports), { plugin: 7 });
    await addHistory(database.pool, record, 1);
    const plugin = aPlugin({ id: 7, configSchema: [{ key: 'token', type: 'string', secret: true }] });
    await ports.plugins.register(plugin, { config: '{}', secrets: new Map() }, anAuthor());
    expect(await pageOf(ports, record)).toContain('config.text');
    expect(await pageOf(ports, record)).not.toContain('"clear"');
    await ports.plugins.sealNext(plugin, (stored) => stored);
    for await (const _ of postgresHistoryMasking(database).maskNoted());
    expect(await inTheClear(database.pool)).toBe(0);
  }));

test('a value that becomes secret is no longer shown from an edition, and soon masked in the table', () =>
  withEmptied(async (database) => {
    const { pool } = database;
    const ports = postgresPorts(database);
    const record = await aRecord(ports, await aFamily(ports));
    const text = 'x'.repeat(200_000);
    await pool.query(
      `insert into edition (record_id, number, created_at, actor_label, config)
      select $1, n, now(), 'key', case when n % 2 = 0 then json_build_object('token', 'clear', 'text', $2::text) end
      from generate_series(1, 40) n`,
      [record.id, text],
    );
    await pool.query('update config_record set edition = 41 where id = $1', [record.id]);
    const shown = async () => JSON.stringify(await ports.editions.page(record, { limit: 9, offset: 0 }));
    const stored = async () => {
      const { rows } = await pool.query<{ config: string | null }>(
        'select config from edition order by number',
      );
      return rows.map(({ config }) => config);
    };
    expect(await shown()).toContain('clear');
    const before = await stored();
    await ports.records.save(aRecordWrite(record, SEALED, { secrets: SECRETS }));
    expect(await shown()).not.toContain('clear');
    expect(await stored()).toEqual(before);
    let portions = 0;
    for await (const _ of postgresHistoryMasking(database).maskNoted()) portions++;
    expect(portions).toBeGreaterThan(2);
    const masked = JSON.stringify({ token: '********', text });
    expect(await stored()).toEqual(before.map((config) => (config === null ? null : masked)));
    expect((await pool.query('select from unmasked_edition')).rows).toEqual([]);
  }));
