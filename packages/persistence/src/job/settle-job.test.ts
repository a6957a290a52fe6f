import {
  MASK,
  runJob,
  type JobRunStore,
  type RecordChange,
  type RunningJob,
  type RecordRef,
} from '@plugin-config/domain';
import {
  anAuthor,
  aFamily,
  aJob,
  aPlugin,
  aRecord,
  aRecordWrite,
  aSettlement,
  claimJob,
  JOB_LEASE_MS,
  type Ports,
} from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { portsOf } from '../testing/test-with-ports.ts';

const NO_DEFAULTS = new Map();
const ATTACH = { plugin: 8, name: 'Attached' };

const withEmptied = databaseOfFile();

test('a settlement is rolled back if its connection is lost, and the job is retried', () =>
  withEmptied(async (database) => {
    const ports = portsOf(database);
    const record = await aRecord(ports, await aFamily(ports));
    const job = await claimed(ports, record);
    const cutOff = ports.jobRuns.settle(job, async () => {
      await database.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and state = 'idle in transaction'`);
      return aSettlement({
        write: aRecordWrite(record, { name: 'Half' }),
      });
    });
    await expect(cutOff).rejects.toMatchObject({ code: 'unavailable' });
    expect((await ports.records.find(record)).value).toEqual(record);
    await ports.passTime(JOB_LEASE_MS);
    expect(await claimJob(ports)).toMatchObject({ attempts: 2 });
  }));

test('secrets are masked even if their plugin is registered while a job attaches it', () =>
  withEmptied(async (database) => {
    const ports = portsOf(database);
    const created = await aRecord(ports, await aFamily(ports));
    const record = await ports.records.save(aRecordWrite(created, { config: '{"token":"hunter2"}' }));
    const job = await claimed(ports, record ?? created, ATTACH);
    const plugin = aPlugin({ id: 8, configSchema: [{ key: 'token', type: 'string', secret: true }] });
    let registering: Promise<unknown> | undefined;
    const settle: JobRunStore['settle'] = (_, decide) =>
      ports.jobRuns.settle(job, async (locked) => {
        const settlement = await decide(locked);
        // Waits for the job, which has locked the plugin.
        registering = ports.plugins.register(plugin, NO_DEFAULTS, anAuthor());
        return settlement;
      });
    await runJob(dependenciesOf({ ...ports, jobRuns: { ...ports.jobRuns, settle } }), job);
    await registering;
    const stored = await ports.configurationValues.of(created);
    expect(stored).toMatchObject({
      plugin,
      record: { plugin: 8, config: `{"token":"${MASK}"}` },
      values: '{"token":"hunter2"}',
    });
  }));

test('jobs that attach other plugins do not deadlock with registrations of these plugins', () =>
  withEmptied(async (database) => {
    const ports = portsOf(database);
    const family = await aFamily(ports);
    const plugins = [7, 8];
    for (const plugin of plugins) await aRecord(ports, family, { plugin });
    const records = await Promise.all(Array.from({ length: 8 }, () => aRecord(ports, family, { plugin: 7 })));
    const deadlocks = 'select deadlocks::integer from pg_stat_database where datname = current_database()';
    const runs = records.map(async (record, i) => {
      const job = aJob(record, {
        id: `0197a3f2-5a1b-7c3d-8e4f-00000000000${i}`,
        work: ATTACH,
      });
      await ports.jobs.queue(job, null);
      const next = await claimJob(ports);
      if (next !== null) await runJob(dependenciesOf(ports), next);
    });
    const registrations = Array.from({ length: 12 }, (_, i) =>
      ports.plugins.register(
        aPlugin({ id: plugins[i % 2] ?? 7, name: `Name ${i}` }),
        NO_DEFAULTS,
        anAuthor(),
      ),
    );
    await Promise.all([...runs, ...registrations]);
    for (const record of records) {
      expect((await ports.records.find(record)).value).toMatchObject({
        plugin: 8,
        name: 'Attached',
        version: 2,
      });
    }
    await database.pool.query('select pg_stat_force_next_flush()');
    expect((await database.pool.query(deadlocks)).rows).toEqual([{ deadlocks: 0 }]);
  }));

async function claimed(ports: Ports, record: RecordRef, change: RecordChange = {}): Promise<RunningJob> {
  await ports.jobs.queue(aJob(record, { work: change }), null);
  const job = await claimJob(ports);
  if (job === null) throw new Error('no job is due');
  return job;
}

function dependenciesOf({ jobRuns }: Ports) {
  return { jobRuns, requireRegistered: false };
}
