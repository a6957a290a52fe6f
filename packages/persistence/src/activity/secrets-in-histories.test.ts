import type { ConfigRecord, SealedSecrets } from '@plugin-config/domain';
import { aFamily, anAuthor, aPlugin, aRecord, aRecordWrite, type Ports } from '@plugin-config/testing';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { postgresPorts } from '../postgres-ports.ts';
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

async function pageOf(ports: Ports, record: ConfigRecord): Promise<string> {
  return JSON.stringify(await ports.activity.page(record, { limit: 10, offset: 0 }));
}

test('a value that becomes secret is no longer shown from a long history, and soon masked in the table', () =>
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
  }));

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
