import type { ConfigRecord } from '@plugin-config/domain';
import { aFamily, anAuthor, aPlugin, aRecord, aRecordWrite } from '@plugin-config/testing';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { postgresHistoryMasking } from '../activity/postgres-history-masking.ts';
import { postgresPorts, type PostgresPorts } from '../postgres-ports.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';

const withEmptied = databaseOfFile();

const WHOLE = { limit: 10, offset: 0 };
const EVERY_CHANGE = { recordId: null, activity: null, actor: null, after: null, before: null };
const NO_SEED = { config: '{}', secrets: new Map<string, string>() };
const SECRET = aPlugin({ id: 7, configSchema: [{ key: 'token', type: 'string', secret: true }] });
const ALSO_SECRET = aPlugin({ id: 7, configSchema: [{ key: 'host', type: 'string', secret: true }] });

/** A record whose history and editions show both values, which are cleared. */
async function aRecordWithPast(ports: PostgresPorts): Promise<ConfigRecord> {
  const record = await aRecord(ports, await aFamily(ports), { plugin: 7 });
  const [before, after] = ['{}', '{"token":"geheim","host":"geheim"}'];
  const changes = (from: string | null, to: string | null) =>
    ['config.token', 'config.host'].map((field) => ({ field, before: from, after: to }));
  const set = await ports.records.save({
    ...aRecordWrite(record, { config: after }, { ended: { config: before } }),
    activity: { ...anAuthor(), activity: 'config_updated', changes: changes(null, 'geheim') },
  });
  const cleared = await ports.records.save({
    ...aRecordWrite(set ?? record, { config: before }, { ended: { config: after } }),
    activity: { ...anAuthor(), activity: 'config_updated', changes: changes('geheim', null) },
  });
  return cleared ?? record;
}

async function shown({ activity, editions }: PostgresPorts, record: ConfigRecord): Promise<string> {
  return JSON.stringify([
    await activity.page(record, WHOLE),
    await activity.familyPage(record, EVERY_CHANGE, WHOLE),
    await editions.page(record, WHOLE),
  ]);
}

async function stored(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query(
    `select changes::text from activity union all select config from edition`,
  );
  return JSON.stringify(rows);
}

test('if the process of a removal is killed after its commit, nothing is shown, and the worker masks it', () =>
  withEmptied(async ({ pool, ...database }) => {
    const ports = postgresPorts({ ...database, pool });
    const [staying, leaving] = [await aRecordWithPast(ports), await aRecordWithPast(ports)];
    expect(await shown(ports, staying)).toContain('geheim');
    await ports.plugins.register(SECRET, NO_SEED, anAuthor());
    await ports.plugins.register(ALSO_SECRET, NO_SEED, anAuthor());
    // The commit of a removal does no more to the records.
    await pool.query('delete from plugin');
    for (const record of [staying, leaving]) expect(await shown(ports, record)).not.toContain('geheim');
    await ports.records.save(aRecordWrite(leaving, { plugin: 9, pluginRevision: null }));
    expect(await shown(ports, leaving)).not.toContain('geheim');
    expect(await ports.plugins.remove(7, anAuthor())).toBe(false);
    await ports.plugins.raiseLeft();
    expect((await pool.query('select from plugin_change')).rows).toEqual([]);
    expect(await shown(ports, staying)).not.toContain('geheim');
    for await (const _ of postgresHistoryMasking({ pool }).maskNoted());
    expect(await stored(pool)).not.toContain('geheim');
    expect(await stored(pool)).toContain('********');
  }));

test('the notes of a registration that ends are a row for each record, however many secrets it has', () =>
  withEmptied(async ({ pool, ...database }) => {
    const ports = postgresPorts({ ...database, pool });
    const { projectId } = await aFamily(ports);
    await pool.query(
      `insert into config_record
        (project_id, family, plugin, enabled, position, config, secrets, deleted, created_at, updated_at, version)
      select $1, 'plugin_configs', 7, false, i, '{}', '{}', false, now(), now(), 1 from generate_series(1, 1001) i`,
      [projectId],
    );
    const configSchema = Array.from({ length: 500 }, (_, i) => {
      return { key: `s${i}`, type: 'string', secret: true } as const;
    });
    await ports.plugins.register(aPlugin({ id: 7, configSchema }), NO_SEED, anAuthor());
    await ports.plugins.register(aPlugin({ id: 7 }), NO_SEED, anAuthor());
    for (const notes of ['unmasked_history', 'unmasked_edition']) {
      const { rows } = await pool.query(
        `select count(*)::integer as records, min(cardinality(keys)) as keys from ${notes}`,
      );
      expect(rows).toEqual([{ records: 1001, keys: 500 }]);
    }
  }));
