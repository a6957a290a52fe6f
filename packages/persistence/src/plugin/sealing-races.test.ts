import {
  conceal,
  sealAttached,
  type Conceal,
  type ConfigField,
  type ConfigRecord,
} from '@plugin-config/domain';
import { aFamily, anAuthor, aPlugin, aRecord, aRecordWrite, memorySecretBox } from '@plugin-config/testing';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { postgresPorts, type PostgresPorts } from '../postgres-ports.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { sealNext } from './seal-attached.ts';

const withEmptied = databaseOfFile();

const WAITING = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
const IN_THE_CLEAR = `select from config_record where config like '%clear%'`;
const PLAIN = '{"token":"clear","host":"clear"}';
const NO_SEED = { config: '{}', secrets: new Map<string, string>() };

const TOKEN: ConfigField = { key: 'token', type: 'string', secret: true };
const SECRET = aPlugin({ id: 7, configSchema: [TOKEN] });
const ALSO_SECRET = aPlugin({ id: 7, configSchema: [TOKEN, { key: 'host', type: 'string', secret: true }] });

const secretBox = memorySecretBox();
const concealToken: Conceal = (configuration) => conceal(configuration, [TOKEN], secretBox);

async function aPlainRecord(ports: PostgresPorts): Promise<ConfigRecord> {
  const record = await aRecord(ports, await aFamily(ports), { plugin: 7 });
  const plain = await ports.records.save(aRecordWrite(record, { config: PLAIN }));
  return plain ?? record;
}

/** The pool, on which work is done before the statement of this name is sent. */
function doneBefore(pool: pg.Pool, name: string, work: () => Promise<void>): pg.Pool {
  const query = async (statement: pg.QueryConfig) => {
    if (statement.name === name) await work();
    return pool.query(statement);
  };
  return { connect: () => pool.connect(), query } as unknown as pg.Pool;
}

test('sealing begins anew for a schema that is registered while a portion for another one ends', () =>
  withEmptied(async ({ pool, ...database }) => {
    const ports = postgresPorts({ ...database, pool });
    await aPlainRecord(ports);
    await ports.plugins.register(SECRET, NO_SEED, anAuthor());
    const client = await pool.connect();
    await client.query('begin; select from plugin for update');
    // Both wait for the row, the sealing as the first one.
    const sealing = ports.plugins.sealNext(SECRET, concealToken);
    await expect.poll(() => pool.query(WAITING)).toMatchObject({ rowCount: 1 });
    const registering = ports.plugins.register(ALSO_SECRET, NO_SEED, anAuthor());
    await expect.poll(() => pool.query(WAITING)).toMatchObject({ rowCount: 2 });
    await client.query('commit');
    client.release();
    expect(await sealing).toEqual({ records: 1, sealed: 1 });
    expect(await registering).toBe(1);
    await sealAttached({ plugins: ports.plugins, secretBox }, { plugin: ALSO_SECRET });
    expect(await pool.query(IN_THE_CLEAR)).toMatchObject({ rowCount: 0 });
  }));

test('sealing begins anew for a plugin that is removed and registered again while a portion is sealed', () =>
  withEmptied(async ({ pool, ...database }) => {
    const ports = postgresPorts({ ...database, pool });
    const plain = await aPlainRecord(ports);
    await ports.plugins.register(SECRET, NO_SEED, anAuthor());
    const again = doneBefore(pool, 'advance_sealing', async () => {
      await ports.plugins.remove(7, anAuthor());
      const { value } = await ports.records.find(plain);
      const config = '{"token":"clear"}';
      const write = aRecordWrite(value ?? plain, { config }, { secrets: new Map() });
      expect(await ports.records.save(write)).toMatchObject({ config });
      expect(await ports.plugins.register(SECRET, NO_SEED, anAuthor())).toBe(1);
    });
    await sealNext(again, SECRET, concealToken);
    await sealAttached({ plugins: ports.plugins, secretBox }, { plugin: SECRET });
    expect(await pool.query(IN_THE_CLEAR)).toMatchObject({ rowCount: 0 });
  }));

test('sealing does not end with a registration that is replaced while no record is left', () =>
  withEmptied(async ({ pool, ...database }) => {
    const ports = postgresPorts({ ...database, pool });
    await ports.plugins.register(SECRET, NO_SEED, anAuthor());
    const again = doneBefore(pool, 'advance_sealing', async () => {
      await ports.plugins.remove(7, anAuthor());
      await aPlainRecord(ports);
      await ports.plugins.register(SECRET, NO_SEED, anAuthor());
    });
    expect(await sealNext(again, SECRET, concealToken)).toEqual({ records: 0, sealed: 0 });
    expect(await ports.plugins.unfinished()).toEqual([7]);
  }));
