import { registerPlugin, setConfiguration } from '@plugin-config/domain';
import { aFamily, aJob, anAuthor, aPlugin, aRecord } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { postgresPorts } from '../postgres-ports.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { dumpTables } from '../testing/dump-tables.ts';
import { encodingsOf } from '../testing/encodings-of.ts';

const withEmptied = databaseOfFile();

const CANARY = 'canary-4711';
const TOKEN = { key: 'token', type: 'string', secret: true, default: `${CANARY}-default` } as const;

test('no table reveals configuration values, secret or not, or the work of jobs', () =>
  withEmptied(async ({ pool, ...database }) => {
    const ports = postgresPorts({ pool, ...database });
    const family = await aFamily(ports);
    await registerPlugin(
      ports,
      aPlugin({ configSchema: [TOKEN, { key: 'host', type: 'string' }] }),
      anAuthor(),
    );
    const record = await aRecord(ports, family);
    for (const name of ['first', 'second']) {
      const newConfig = { host: `${CANARY}-${name}`, token: `${CANARY}-secret-${name}` };
      await setConfiguration(ports, { record, precondition: null, newConfig, author: anAuthor() });
    }
    await ports.jobs.queue(aJob(record, { work: { name: `${CANARY}-job` } }), null);
    const tables = await dumpTables({ pool });
    expect(Object.keys(tables)).toEqual(
      expect.arrayContaining([
        'config_record',
        'config_revision',
        'activity',
        'job',
        'plugin',
        'project_key',
      ]),
    );
    const encodings = encodingsOf(CANARY);
    const lines = Object.values(tables).flat();
    expect(lines.filter((line) => encodings.some((text) => line.includes(text)))).toEqual([]);
  }));

test('a configuration copied to another record, project or column cannot be read there', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const families = [await aFamily(ports), await aFamily(ports)];
    const records = [];
    for (const family of [families[0], families[0], families[1]]) {
      if (family === undefined) continue;
      const record = await aRecord(ports, family);
      const newConfig = { host: CANARY };
      records.push(
        await setConfiguration(ports, { record, precondition: null, newConfig, author: anAuthor() }),
      );
    }
    const [source, sister, stranger] = records;
    if (source === undefined || sister === undefined || stranger === undefined)
      throw new Error('No records.');
    for (const { id } of [sister, stranger]) {
      const copy =
        'update config_record set config = (select config from config_record where id = $1) where id = $2';
      await database.pool.query(copy, [source.id, id]);
    }
    for (const { projectId, family, id } of [sister, stranger])
      await expect(ports.records.find({ projectId, family, id })).rejects.toThrow();
    await setConfiguration(ports, {
      record: source,
      precondition: null,
      newConfig: { host: 'b' },
      author: anAuthor(),
    });
    await database.pool.query(
      `update config_revision set config = (select config from config_record where id = $1)`,
      [source.id],
    );
    await expect(ports.revisions.page(source, { limit: 9, offset: 0 })).rejects.toThrow();
  }));
