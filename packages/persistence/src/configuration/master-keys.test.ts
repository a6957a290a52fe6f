import { aFamily, aRecord, aRecordWrite } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import type { SecretsKeys } from '../crypto/secrets-keys.ts';
import { postgresPorts } from '../postgres-ports.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { TEST_KEYS } from '../testing/test-keys.ts';
import { openDatabase, type EncryptedDatabase } from './encrypted-database.ts';
import { masterKeysProblem, masterKeyUses, rotateMasterKey } from './master-keys.ts';

const withEmptied = databaseOfFile();

const keyOf = (id: string, byte: number): SecretsKeys => new Map([[id, Buffer.alloc(32, byte)]]);
const NEW = keyOf('new', 1);
const BOTH: SecretsKeys = new Map([...NEW, ...TEST_KEYS]);
const OTHER_BYTES = keyOf('test', 2);

test('a rotation rewraps the data key of each project, and encrypted data stays readable', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const [record] = [await aRecord(ports, await aFamily(ports)), await aFamily(ports)];
    const config = '{"host":"a"}';
    await ports.records.save(aRecordWrite(record, { config }));
    const before = await database.pool.query('select * from config_record');
    const uses = (dataKeys: number) => (keyId: string) => ({ keyId, dataKeys });
    expect(await masterKeyUses(database)).toEqual(['test'].map(uses(2)));
    await rotateMasterKey({ ...database, masterKeys: BOTH });
    expect(await masterKeyUses(database)).toEqual(['new'].map(uses(2)));
    // Only the data keys are written.
    expect((await database.pool.query('select * from config_record')).rows).toEqual(before.rows);
    const { configurationValues } = postgresPorts(withMasterKeys(database, NEW));
    expect((await configurationValues.of(record))?.values).toBe(config);
  }));

test('a dump taken after a rotation cannot be decrypted with the old master key', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const record = await aRecord(ports, await aFamily(ports));
    await ports.records.save(aRecordWrite(record, { config: '{"host":"a"}' }));
    await rotateMasterKey({ ...database, masterKeys: BOTH });
    const stolen = postgresPorts(withMasterKeys(database, TEST_KEYS));
    await expect(stolen.configurationValues.of(record)).rejects.toMatchObject({
      code: 'key_missing',
      message: expect.stringContaining('"new"'),
    });
    await database.pool.query(`update project_key set master_key_id = 'test'`);
    await expect(stolen.configurationValues.of(record)).rejects.toMatchObject({ code: 'key_missing' });
  }));

test('a rotation skips data keys whose master key is missing, and a later rotation completes it', () =>
  withEmptied(async (database) => {
    for (const masterKeys of [TEST_KEYS, keyOf('lost', 3), TEST_KEYS]) {
      await aFamily(postgresPorts(withMasterKeys(database, masterKeys)));
    }
    await rotateMasterKey({ ...database, masterKeys: BOTH });
    expect(await masterKeyUses(database)).toEqual([
      { keyId: 'lost', dataKeys: 1 },
      { keyId: 'new', dataKeys: 2 },
    ]);
    await rotateMasterKey({ ...database, masterKeys: new Map([...NEW, ...keyOf('lost', 3)]) });
    expect(await masterKeyUses(database)).toEqual([{ keyId: 'new', dataKeys: 3 }]);
  }));

test('problems with the master keys are reported with the id of the key', () =>
  withEmptied(async (database) => {
    const problem = (masterKeys: SecretsKeys, options?: Parameters<typeof masterKeysProblem>[1]) =>
      masterKeysProblem({ ...database, masterKeys }, options);
    expect(await problem(new Map())).toMatch(/^SECRETS_KEYS is not set.*secrets generate$/);
    expect(await problem(NEW)).toBeNull();
    await aFamily(postgresPorts(database));
    for (const fit of [TEST_KEYS, BOTH]) expect(await problem(fit)).toBeNull();
    expect(await problem(NEW)).toContain('lacks "test"');
    expect(await problem(NEW, { allowMissing: true })).toBeNull();
    for (const options of [{}, { allowMissing: true }])
      expect(await problem(OTHER_BYTES, options)).toContain('lists a different key as "test"');
  }));

/** Returns the same database as a process with different keys. */
function withMasterKeys(database: EncryptedDatabase, masterKeys: SecretsKeys): EncryptedDatabase {
  const { configurations } = openDatabase({
    url: 'postgres://none@127.0.0.1:1/none',
    poolSize: 1,
    masterKeys,
  });
  return { ...database, masterKeys, configurations };
}
