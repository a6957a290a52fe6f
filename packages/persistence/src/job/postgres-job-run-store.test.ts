import {
  handlerRuns,
  MASK,
  runJob,
  type ClaimedJob,
  type JobHandler,
  type JobRunStore,
  type JobWork,
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
  linesOf,
  listed,
  type Ports,
} from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { withDatabase } from '../testing/postgres-ports.fixture.ts';
import { INSTANCE_ID, portsOf } from '../testing/test-with-ports.ts';

const CLAIM = { leaseMs: 60_000, except: [] };
const NO_DEFAULTS = new Map();
const SIGNAL = new AbortController().signal;
const ATTACH = { type: 'attach', payload: null, operation: null };
const EVERY = { types: [], source: null, instanceId: null, after: null, before: null, search: null };

const withEmptied = databaseOfFile();

test('a line is a log entry with the source of the service', () =>
  withEmptied(async (database) => {
    const ports = portsOf(database);
    const record = await aRecord(ports, await aFamily(ports), { plugin: 7 });
    await claimed(ports, record);
    await linesOf(ports, record);
    const { items } = await ports.logs.page(record, EVERY, { limit: 1, offset: 0 });
    expect(items).toEqual([
      {
        id: expect.stringMatching(/^[\da-f-]{36}$/),
        projectId: record.projectId,
        plugin: 7,
        recordId: record.id,
        timestamp: expect.any(Date),
        source: 'SYSTEM',
        type: 'INFO',
        message: 'Job started: change to the record (attempt 1)',
        instanceId: INSTANCE_ID,
      },
    ]);
  }));

test('lines with the same time keep the order in which they were written', () =>
  withEmptied(async (database) => {
    const ports = portsOf(database);
    const record = await aRecord(ports, await aFamily(ports));
    const lines = Array.from({ length: 50 }, (_, i) => ({ type: 'INFO', message: String(i) }));
    const job = await claimed(ports, record);
    await ports.runs.settle(job, async () => aSettlement({ lines }));
    expect((await linesOf(ports, record)).slice(1)).toEqual(lines);
  }));

test('a settlement is rolled back if its connection is lost, and the job is retried', () =>
  withEmptied(async (database) => {
    const ports = portsOf(database);
    const record = await aRecord(ports, await aFamily(ports));
    const job = await claimed(ports, record);
    const cutOff = ports.runs.settle(job, async () => {
      await database.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and state = 'idle in transaction'`);
      return aSettlement({
        write: aRecordWrite(record, { name: 'Half' }),
        lines: [{ type: 'INFO', message: 'Half' }],
      });
    });
    await expect(cutOff).rejects.toMatchObject({ code: 'unavailable' });
    expect((await ports.records.find(record)).value).toEqual(record);
    expect(await linesOf(ports, record)).toHaveLength(1);
    await ports.passTime(CLAIM.leaseMs);
    expect(await ports.runs.claim(CLAIM)).toMatchObject({ attempts: 2 });
  }));

test('a claim is rolled back if its line cannot be stored', () =>
  withDatabase(async (database) => {
    const ports = portsOf(database);
    const record = await aRecord(ports, await aFamily(ports));
    const job = aJob(record);
    await ports.jobs.queue(job, null);
    await database.pool.query(
      `alter table log_outbox add constraint no_lines check (message = '') not valid`,
    );
    await expect(ports.runs.claim(CLAIM)).rejects.toThrow();
    expect(await ports.jobs.find(record, job.id)).toEqual(listed(job));
  }));

test('secrets are masked even if their plugin is registered while a job attaches it', () =>
  withEmptied(async (database) => {
    const ports = portsOf(database);
    const created = await aRecord(ports, await aFamily(ports));
    const record = await ports.records.save(aRecordWrite(created, { config: '{"token":"hunter2"}' }));
    const job = await claimed(ports, record ?? created, { kind: 'task', task: ATTACH });
    const plugin = aPlugin({ id: 8, configSchema: [{ key: 'token', type: 'string', secret: true }] });
    let decisions = 0;
    const settle: JobRunStore['settle'] = (_, decide) =>
      ports.runs.settle(job, async (locked) => {
        const settlement = await decide(locked);
        decisions += 1;
        if (decisions === 1) await ports.plugins.register(plugin, NO_DEFAULTS, anAuthor());
        return settlement;
      });
    await runJob(dependenciesOf({ ...ports, runs: { ...ports.runs, settle } }), job, SIGNAL);
    const stored = await ports.configurationValues.of(created);
    expect(decisions).toBe(2);
    expect(stored).toMatchObject({
      plugin,
      record: { plugin: 8, config: `{"token":"${MASK}"}` },
      values: '{"token":"hunter2"}',
    });
    expect(await linesOf(ports, created)).toHaveLength(2);
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
        work: { kind: 'task', task: ATTACH },
      });
      await ports.jobs.queue(job, null);
      const next = await ports.runs.claim(CLAIM);
      if (next !== null) await runJob(dependenciesOf(ports), next, SIGNAL);
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

async function claimed({ jobs, runs }: Ports, record: RecordRef, work?: JobWork): Promise<ClaimedJob> {
  await jobs.queue(aJob(record, work && { work }), null);
  const job = await runs.claim(CLAIM);
  if (job === null) throw new Error('no job is due');
  return job;
}

function dependenciesOf({ runs: jobs, configurationValues }: Ports) {
  const run: JobHandler['run'] = async () => ({ change: { plugin: 8, name: 'Attached' } });
  return {
    jobs,
    handlers: [{ type: ATTACH.type, run }],
    handlerRuns: handlerRuns(),
    configurationValues,
    requireRegistered: false,
  };
}
