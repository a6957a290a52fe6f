import { setTimeout as sleep } from 'node:timers/promises';
import {
  DAY_MS,
  eraseProject,
  ingest,
  messageContext,
  readMessage,
  registerPlugin,
  SERVICE,
  setConfiguration,
  keylessActor,
  type FamilyRef,
  type MessageOrigin,
} from '@plugin-config/domain';
import {
  aDelivery,
  anAlertRule,
  aJob,
  anApiKey,
  anAuthor,
  anEntry,
  anErrorReport,
  evaluateAt,
  anOrigin,
  aDeadMessage,
  aPlugin,
  aRecord,
  createOnce,
  mustStore,
  aRuntimeReport,
  aSignIn,
  aTrust,
  aUser,
  aKeyHash,
  MOMENT,
  secondsLater,
  seededRandomness,
} from '@plugin-config/testing';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { inTransaction } from '../postgres/in-transaction.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { dumpTables } from '../testing/dump-tables.ts';
import { logPortsOf } from '../testing/postgres-log-ports.fixture.ts';
import { queueEvents } from '../webhook/queue-events.ts';

const withEmptied = databaseOfFile();

const CANARY = 'canary-4711';
/** Tables without rows of a project. */
const SHARED = new Set([
  'log_day',
  'plugin',
  'plugin_registry',
  'plugin_upgrade',
  'plugin_version',
  'schema_migration',
  'timeline',
  'erasure',
]);
/**
 * The remains of a project: that it existed, who did what when, the highest plugin of its records, and digests of exchanged tokens.
 */
const REMAINING = ['audit', 'exchanged_token', 'erasure', 'plugin_registry', 'runtime_host'];

type Ports = ReturnType<typeof logPortsOf>;

/** Fills every table with rows of the project. Texts that callers choose contain `mark`. */
async function fill(
  ports: Ports,
  pool: pg.Pool,
  { projectId, family }: FamilyRef,
  mark: string,
): Promise<void> {
  const key = await ports.keys.add(
    anApiKey({ label: mark, projectIds: [projectId], hash: aKeyHash(projectId) }),
    anAuthor(),
  );
  const subject = { id: mark, name: mark };
  const author = anAuthor({ actor: { keyId: key.id, label: mark, subject } });
  const trust = aTrust({ name: mark, claims: { sub: [mark] }, projectIds: [projectId] });
  const { id: trustId } = await ports.trusts.add(trust, author);
  await ports.trusts.exchange(
    { ...trust, id: trustId },
    { jti: mark, expiresAt: MOMENT },
    anAuthor({ actor: keylessActor({ id: trustId, label: mark }, subject) }),
  );
  const user = aUser({ label: mark, subject: mark, projectIds: [projectId] });
  await ports.users.signIn(user, aSignIn(), author);
  const draft = { plugin: 7, name: mark, description: mark };
  const options = { author, requireRegistered: false };
  const given = { enabled: true, deleted: false, order: null, ...draft };
  const once = { name: `${mark} ${projectId}`, digest: mark };
  const { value: record } = await mustStore(
    createOnce(ports.records, { projectId, family }, given, options, once),
  );
  for (const host of ['a', 'b']) {
    const newConfig = { host: `${mark} ${host}` };
    await setConfiguration(ports, { record, precondition: null, newConfig, author });
  }
  await ports.jobs.queue(aJob(record, { id: crypto.randomUUID(), actor: author.actor }), null);
  const origin = anOrigin({ owner: `project ${projectId}`, projectIds: [projectId] });
  const text = JSON.stringify({ plugin_config_id: record.id, message: mark });
  await ports.sequence.follow([record]);
  await ingest(ports, [
    anEntry(record, { message: mark, type: mark, text }),
    anEntry(record, { message: mark, timestamp: MOMENT.getTime() + DAY_MS }),
    aDelivery(record, { failed: [{ ref: mark, reason: mark }] }),
    anErrorReport(record, mark),
    aDeadMessage({ text: mark, origin }),
    anEntry(record, { plugin: 8, text, message: mark }),
  ]);
  await ports.upkeep.sumUpProjects();
  const failed = [{ id: record.id, error: mark }];
  const report = aRuntimeReport({ error: mark, status: 'failed', failed, labels: { mark } });
  await ports.runtimes.report({ family: { projectId, family }, instance: mark, report, at: MOMENT });
  await ports.runtimes.reportHost({
    family,
    instance: 'host',
    key: { accountId: projectId, projectIds: [], pluginIds: [] },
    shard: null,
    since: null,
    report: { ...report, labels: {}, failed: failed.map((one) => ({ ...one, projectId })) },
    at: MOMENT,
  });
  await ports.alerts.create(projectId, anAlertRule({ name: mark, family, windowMinutes: 1440 }), author);
  const claim: Ports['tasks']['claim'] = (kind, order) =>
    ports.tasks.claim(kind, { ...order, onlyKeys: [projectId] });
  await evaluateAt({ ...ports, tasks: { ...ports.tasks, claim } }, MOMENT);
  const url = `https://${mark}.example/${mark}`;
  await ports.webhooks.create(
    projectId,
    { url, events: ['record.created'], plugin: null, enabled: true },
    author,
  );
  const event = {
    projectId,
    key: mark,
    type: 'record.created',
    at: MOMENT,
    recordId: null,
    data: { mark },
  } as const;
  await inTransaction(pool, 'begin', (client) => queueEvents(client, [event]));
  await pool.query(`insert into managed_record values ($1, $2, $3, $4, $4, false, 1, 1)`, [
    record.id,
    projectId,
    family,
    mark,
  ]);
}

async function erase(ports: Ports, projectId: number, name: string): Promise<void> {
  await ports.erasures.start(projectId, name, anAuthor());
  const [task] = await ports.tasks.claim('erasure', { limit: 1, exceptTenants: [] });
  for await (const _ of eraseProject(ports, projectId));
  if (task !== undefined) await ports.tasks.settle(task, null);
}

test('nothing that callers have written to a deleted project is left in any table', () =>
  withEmptied(async (database) => {
    const ports = logPortsOf(database);
    await registerPlugin(ports, aPlugin({ configSchema: [{ key: 'host', type: 'string' }] }), anAuthor());
    const kept = {
      projectId: (await ports.projects.create({ name: 'Kept' }, anAuthor())).id,
      family: 'plugin_configs',
    } as const;
    await fill(ports, database.pool, kept, 'kept');
    const before = await dumpTables(database);
    const name = `Shop ${CANARY}`;
    const gone = {
      ...kept,
      projectId: (await ports.projects.create({ name, externalId: CANARY }, anAuthor())).id,
    };
    await fill(ports, database.pool, gone, CANARY);
    await database.pool.query(
      `insert into log_project_delta (project_id, hour, counts) values ($1, now(), '{1}')`,
      [gone.projectId],
    );
    const filled = await dumpTables(database);
    const grown = Object.keys(filled).filter((table) => String(filled[table]) !== String(before[table]));
    const expected = Object.keys(filled).filter((table) => !SHARED.has(table));
    expect(grown.toSorted()).toEqual(expected.toSorted());

    await erase(ports, gone.projectId, name);
    const after = await dumpTables(database);
    expect(
      Object.values(after)
        .flat()
        .filter((row) => row.includes(CANARY)),
    ).toEqual([]);
    // A host serves other projects, too.
    const { items: runtimes } = await ports.runtimes.page(kept, { limit: 10, offset: 0 });
    expect(runtimes.map(({ instance, status }) => [instance, status])).toEqual(
      expect.arrayContaining([
        ['host', 'failed'],
        ['host', 'applied'],
      ]),
    );
    for (const table of REMAINING) [before, after].forEach((dump) => Reflect.deleteProperty(dump, table));
    expect(after).toEqual(before);
  }));

test('the dead letters of a project are found by the record and the owner that were read from them', () =>
  withEmptied(async (database) => {
    const ports = logPortsOf(database);
    const [gone, kept] = [
      await ports.projects.create({ name: 'Gone' }, anAuthor()),
      await ports.projects.create({ name: 'Kept' }, anAuthor()),
    ];
    const record = await aRecord(ports, { projectId: gone.id, family: 'plugin_configs' });
    const neighbour = await aRecord(ports, { projectId: kept.id, family: 'plugin_configs' });
    const context = messageContext({
      clock: { now: () => MOMENT },
      randomness: seededRandomness(1),
      instanceId: crypto.randomUUID(),
      retentionDays: 7,
    });
    const sent = (texts: readonly string[], origin: MessageOrigin) =>
      texts.map((text, position) => readMessage({ text, origin, position }, context));
    const odd = [
      `{"nested":{"plugin_config_id":${neighbour.id}},"plugin_config_id":${record.id}}`,
      `{"plugin_confi\\u0067_id":${record.id}}`,
      `{"plugin_config_id":${neighbour.id},"plugin_config_id":${record.id}}`,
      `{"plugin_config_id":${record.id / 10}e1}`,
      `{"plugin_config_id":${record.id},"message":"m","plugin_id":999}`,
    ];
    const neighbours = [
      `{"nested":{"plugin_config_id":${record.id}},"plugin_config_id":${neighbour.id}}`,
      `"plugin_config_id":${record.id}`,
      `{"plugin_config_id":${record.id},"message":"of a record that this sender cannot write to"}`,
    ];
    await ingest(ports, [
      ...sent(odd, anOrigin({ owner: 'account 1', projectIds: [] })),
      ...sent(odd, anOrigin({ owner: 'account 2', projectIds: [gone.id, kept.id] })),
      ...sent(['not JSON'], anOrigin({ owner: `project ${gone.id}`, projectIds: [gone.id] })),
      ...sent(neighbours, anOrigin({ owner: `project ${kept.id}`, projectIds: [kept.id] })),
    ]);
    await ports.erasures.start(gone.id, 'Gone', anAuthor());
    // The project is gone, but its records are not erased yet.
    await ingest(ports, sent([...odd, `{"plugin_config_id":${record.id},"message":"late"}`], anOrigin()));
    for await (const _ of eraseProject(ports, gone.id));
    const left = await ports.deadLetters.list({ after: 0, limit: 100 });
    expect(left.map(({ text }) => text)).toEqual(neighbours);
  }));

test('an erasure waits for a batch that has read the project, and removes what the batch stores', () =>
  withEmptied(async (database) => {
    const ports = logPortsOf(database);
    const { id: projectId } = await ports.projects.create({ name: 'Gone' }, anAuthor());
    const record = await aRecord(ports, { projectId, family: 'plugin_configs' });
    // Creates the partitions of the day, which would make the batch start again.
    await ingest(ports, [anEntry(record)]);
    const [hasRead, mayStore] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const stores: typeof ports.stores = {
      withBatch: (work) =>
        ports.stores.withBatch((batch) => {
          const of: typeof batch.owners.of = async (ids) => {
            const owners = await batch.owners.of(ids);
            hasRead.resolve();
            await mayStore.promise;
            return owners;
          };
          return work({ ...batch, owners: { of } });
        }),
    };
    const storing = ingest({ ...ports, stores }, [anEntry(record)]);
    await hasRead.promise;
    const erasing = erase(ports, projectId, 'Gone').then(() => 'erased');
    expect(await Promise.race([erasing, sleep(300, 'waiting')])).toBe('waiting');
    mayStore.resolve();
    expect(await storing).toEqual(['stored']);
    await erasing;
    for (const table of ['log_entry', 'log_hour', 'log_usage', 'log_project_delta', 'config_record'])
      expect((await database.pool.query(`select from ${table}`)).rowCount).toBe(0);
  }));

test('alerts on all projects forget the records of a deleted project', () =>
  withEmptied(async (database) => {
    const ports = logPortsOf(database);
    const { id: projectId } = await ports.projects.create({ name: 'Shop' }, anAuthor());
    const family = { projectId, family: 'plugin_configs' } as const;
    const record = await aRecord(ports, family, { enabled: true });
    await ingest(ports, [anErrorReport(record, 'timed out')]);
    const author = anAuthor({ at: new Date(0) });
    for (const signal of ['error', 'offline'] as const) {
      const windowMinutes = signal === 'error' ? 1440 : 15;
      await ports.alerts.create(SERVICE, anAlertRule({ name: signal, signal, windowMinutes }), author);
    }
    await evaluateAt(ports, secondsLater(3600));
    const states = async () => (await database.pool.query('select from alert_state')).rows.length;
    expect(await states()).toBe(2);
    await erase(ports, projectId, 'Shop');
    expect(await states()).toBe(0);
  }));
