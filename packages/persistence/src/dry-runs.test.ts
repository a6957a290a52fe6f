import {
  changeRule,
  powersOf,
  type Alert,
  type Author,
  type ConfigRecord,
  type FamilyRef,
} from '@plugin-config/domain';
import {
  aFamily,
  aHostReport,
  aJob,
  aKeyHash,
  anAlert,
  anAlertRule,
  anApiKey,
  anAuthor,
  aSignIn,
  createOnce,
  aPlugin,
  aRecord,
  aRecordDraft,
  aRecordWrite,
  aRuntimeReport,
  aTrust,
  aUser,
  aVersion,
  aWebhook,
  liveRecords,
  queueOnce,
  restoreOnce,
  secondsLater,
  seededPick,
  someWebhookSettings,
  type KeyOf,
  type TestWith,
} from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { postgresPorts, type PostgresPorts } from './postgres-ports.ts';
import { databaseOfFile } from './testing/database-of-file.ts';
import { dumpTables } from './testing/dump-tables.ts';

interface Fixtures {
  readonly ports: PostgresPorts;
  /** The same ports for dry runs. */
  readonly dry: PostgresPorts;
  /** Returns all stored rows. */
  readonly dump: () => Promise<unknown>;
}

/** The methods that are not writes of a request. */
interface OtherMethods {
  readonly keys: 'find' | 'list' | 'touch';
  readonly trusts: 'find' | 'list' | 'exchange';
  readonly users: 'signIn';
  readonly projects: 'find' | 'idsOf' | 'list';
  readonly plugins: 'find' | 'idsOf' | 'page' | 'records' | 'registration' | 'registrationOf';
  readonly pluginVersions: 'page' | 'target' | 'candidates' | 'countRecords';
  readonly upgrades: 'find' | 'startOverdue' | 'begin' | 'finish';
  readonly records: 'find' | 'list' | 'listChanged' | 'chunk' | 'kept';
  readonly revisions: 'page' | 'find' | 'kept';
  readonly jobs: 'find' | 'page';
  readonly runtimes: 'page' | 'pageOfAll' | 'ofPlugin';
  readonly alerts: 'page' | 'find';
  readonly webhooks: 'page' | 'find';
  readonly dispatches: 'page';
}

type Write = (ports: PostgresPorts, setup: Setup) => Promise<unknown>;

interface Setup {
  readonly family: FamilyRef;
  readonly records: readonly [ConfigRecord, ConfigRecord, ConfigRecord];
  readonly webhookId: number;
  readonly deliveryId: string;
  readonly keyId: number;
  readonly trustId: number;
  readonly alert: Alert;
  readonly author: Author;
}

const NO_DEFAULTS = new Map();
const EVERYTHING = powersOf(anApiKey({ scopes: ['*'] }));
const KEY: KeyOf = { name: 'request', digest: 'body' };
const QUEUED = '01890a5d-ac96-7b62-8d5c-1f0a3c9d2e4b';
const logQuota = { entriesPerDay: 5, bytesPerDay: null };
const NEW = '01890a5d-ac96-7b62-8d5c-1f0a3c9d2e4c';
const CONFIGURED = { values: '{"a":1}', changes: [{ field: 'config.a', before: null, after: 1 }] };
const SCHEMA = [{ key: 'token', type: 'string', secret: true }] as const;

/** The writes to try for each method. It does not compile if a writing method is missing. */
const WRITES: {
  readonly [Port in keyof OtherMethods]: Readonly<
    Record<Exclude<keyof PostgresPorts[Port], OtherMethods[Port]>, readonly Write[]>
  >;
} = {
  keys: {
    add: [
      ({ keys }, { author, family: { projectId } }) =>
        keys.add(anApiKey({ hash: aKeyHash(2), projectIds: [projectId] }), author),
      ({ keys }, { author }) => keys.add(anApiKey({ hash: aKeyHash(2), projectIds: [404] }), author),
    ],
    revoke: [
      ({ keys }, { author, keyId }) => keys.revoke(keyId, null, author),
      ({ keys }, { author }) => keys.revoke(404, null, author),
    ],
  },
  trusts: {
    add: [
      ({ trusts }, { author, family: { projectId } }) =>
        trusts.add(aTrust({ hash: aKeyHash(3), projectIds: [projectId] }), author),
      ({ trusts }, { author }) => trusts.add(aTrust({ hash: aKeyHash(3), projectIds: [404] }), author),
    ],
    change: [
      ({ trusts }, { author, trustId }) =>
        trusts.change(trustId, null, aKeyHash(4), (before) => ({ ...before, name: 'Other' }), author),
      ({ trusts }, { author }) => trusts.change(404, null, aKeyHash(4), (before) => before, author),
    ],
    remove: [
      ({ trusts }, { author, trustId }) => trusts.remove(trustId, null, author),
      ({ trusts }, { author }) => trusts.remove(404, null, author),
    ],
  },
  users: {
    endOwn: [({ users }, { author }) => users.endOwn({ issuer: 'https://other', subject: 'other' }, author)],
    endSessions: [
      ({ users }, { author }) => users.endSessions(null, EVERYTHING, author),
      ({ users }, { author }) => users.endSessions('other', EVERYTHING, author),
    ],
  },
  projects: {
    create: [
      ({ projects }, { author }) => projects.create({ name: 'New', externalId: 'new' }, author),
      ({ projects }, { author }) => projects.create({ name: 'New' }, author),
    ],
    put: [({ projects }, { author }) => projects.put('new', 'New', author)],
    change: [
      ({ projects }, { author, family }) =>
        projects.change(family.projectId, { name: 'Renamed', logQuota }, author),
      ({ projects }, { author }) => projects.change(404, { name: 'Renamed' }, author),
    ],
  },
  plugins: {
    register: [
      ({ plugins }, { author }) => plugins.register(aPlugin({ name: 'Again' }), NO_DEFAULTS, author),
      ({ plugins }, { author }) => plugins.register(aPlugin({ configSchema: SCHEMA }), NO_DEFAULTS, author),
      ({ plugins }, { author }) => plugins.register(aPlugin({ id: 8 }), NO_DEFAULTS, author),
      ({ plugins }, { author }) => plugins.register({ id: 'slug:new', name: 'New' }, NO_DEFAULTS, author),
    ],
    remove: [
      ({ plugins }, { author }) => plugins.remove(7, author),
      ({ plugins }, { author }) => plugins.remove(404, author),
    ],
  },
  pluginVersions: {
    register: [
      ({ pluginVersions }, { author }) => pluginVersions.register(7, aVersion(), NO_DEFAULTS, author),
      ({ pluginVersions }, { author }) => pluginVersions.register(404, aVersion(), NO_DEFAULTS, author),
    ],
    change: [
      ({ pluginVersions }, { author }) => pluginVersions.change(7, '0', { state: 'current' }, author),
      ({ pluginVersions }, { author }) => pluginVersions.change(7, '9', { state: 'current' }, author),
    ],
  },
  upgrades: {
    start: [
      ({ upgrades }, { author }) => upgrades.start(7, '0', { force: false }, author),
      ({ upgrades }, { author }) => upgrades.start(7, '9', { force: false }, author),
    ],
    cancel: [({ upgrades }, { author }) => upgrades.cancel(7, '0', author)],
  },
  records: {
    create: [
      ({ records }, { family, author }) =>
        records.create(family, aRecordDraft({ name: 'Last' }), { author, requireRegistered: true }),
      ({ records }, { family, author }) =>
        records.create(family, aRecordDraft({ order: 2 }), { author, requireRegistered: false }),
      ({ records }, { family, author }) =>
        records.create(family, aRecordDraft({ plugin: 404 }), { author, requireRegistered: true }),
      ({ records }, { family, author }) =>
        records.create(family, aRecordDraft(), {
          author,
          requireRegistered: false,
          configuration: CONFIGURED,
        }),
      ({ records }, { family, author }) =>
        createOnce(records, family, aRecordDraft(), { author, requireRegistered: false }, KEY),
    ],
    save: [
      ({ records }, { records: [first] }) =>
        records.save(aRecordWrite(first, { name: 'Renamed', plugin: 7 })),
      ({ records }, { records: [first] }) =>
        records.save(
          aRecordWrite(first, { config: '{"token":"********"}' }, { values: '{"token":"hunter2"}' }),
        ),
      ({ records }, { records: [first] }) => records.save(aRecordWrite({ ...first, version: 9 }, {})),
    ],
    lock: [
      ({ records }, { family, author, records: [first, , last] }) =>
        records.lock(family, async (locked) => {
          await locked.move(
            [
              { id: last.id, order: 1 },
              { id: first.id, order: 3 },
            ],
            author,
          );
          return [locked.listVersion, await locked.record(last.id)];
        }),
      ({ records }, { family, author, records: [first] }) =>
        records.lock(family, async (locked) => {
          await locked.move([{ id: first.id, order: 9 }], author);
          throw new Error('Rejected after the change.');
        }),
    ],
  },
  revisions: {
    restore: [
      ({ revisions }, { records: [before], author }) =>
        restoreOnce(revisions, {
          before,
          write: { ...aRecordWrite(before, { name: 'Restored' }), ended: { config: null } },
          missing: ['token'],
          key: KEY,
          author,
        }),
    ],
  },
  runtimes: {
    report: [
      ({ runtimes }, { family, author: { at } }) =>
        runtimes.report({ family, instance: 'new', report: aRuntimeReport(), at }),
      ({ runtimes }, { family, author: { at } }) =>
        runtimes.report({ family, instance: 'new', report: aRuntimeReport({ version: '2' }), at }),
    ],
    reportHost: [
      ({ runtimes }, { family: { family }, author: { at } }) =>
        runtimes.reportHost(aHostReport({ family, instance: 'new', at })),
    ],
    forget: [
      ({ runtimes }, { family }) => runtimes.forget(family, 'known'),
      ({ runtimes }, { family }) => runtimes.forget(family, 'none'),
    ],
  },
  alerts: {
    create: [
      ({ alerts }, { family: { projectId }, author }) => alerts.create(projectId, anAlertRule(), author),
      ({ alerts }, { alert: { projectId, name }, author }) =>
        alerts.create(projectId, anAlertRule({ name }), author),
      ({ alerts }, { family: { projectId }, author }) =>
        alerts.create(projectId, anAlertRule({ recordId: 404 }), author),
    ],
    change: [
      ({ alerts }, { alert: { projectId, id }, author }) =>
        alerts.change(projectId, id, null, (alert) => changeRule(alert, { name: 'Renamed' }), author),
      ({ alerts }, { alert: { projectId, id }, author }) =>
        alerts.change(projectId, id, [9], (alert) => alert, author),
    ],
    delete: [
      ({ alerts }, { alert: { projectId, id }, author }) => alerts.delete(projectId, id, null, author),
      ({ alerts }, { alert: { projectId }, author }) => alerts.delete(projectId, 404, null, author),
    ],
  },
  webhooks: {
    create: [
      ({ webhooks }, { family: { projectId }, author }) =>
        webhooks.create(projectId, someWebhookSettings(), author),
      ({ webhooks }, { author }) => webhooks.create(404, someWebhookSettings(), author),
    ],
    change: [
      ({ webhooks }, { family: { projectId }, webhookId, author }) =>
        webhooks.change(projectId, webhookId, [1], (now) => ({ ...now, enabled: false }), author),
      ({ webhooks }, { family: { projectId }, webhookId, author }) =>
        webhooks.change(projectId, webhookId, [9], (now) => now, author),
    ],
    rotate: [
      ({ webhooks }, { family: { projectId }, webhookId, author }) =>
        webhooks.rotate(projectId, webhookId, author),
    ],
    delete: [
      ({ webhooks }, { family: { projectId }, webhookId, author }) =>
        webhooks.delete(projectId, webhookId, [1], author),
      ({ webhooks }, { family: { projectId }, author }) => webhooks.delete(projectId, 404, null, author),
    ],
  },
  dispatches: {
    test: [
      ({ dispatches }, { family: { projectId }, webhookId, author }) =>
        dispatches.test(projectId, webhookId, author),
    ],
    resend: [
      ({ dispatches }, { family: { projectId }, webhookId, deliveryId }) =>
        dispatches.resend(projectId, webhookId, deliveryId),
      ({ dispatches }, { family: { projectId }, webhookId }) => dispatches.resend(projectId, webhookId, NEW),
    ],
    recover: [
      ({ dispatches }, { family: { projectId }, webhookId }) =>
        dispatches.recover(projectId, webhookId, { since: new Date(0), until: new Date() }),
    ],
  },
  jobs: {
    queue: [
      ({ jobs }, { records: [first] }) => jobs.queue(aJob(first, { id: NEW }), [first.version]),
      ({ jobs }, { records: [first] }) => jobs.queue(aJob(first, { id: NEW }), [9]),
      ({ jobs }, { records: [first], author: { actor } }) =>
        queueOnce(jobs, {
          job: aJob(first, { id: NEW, actor }),
          response: { jobId: NEW, record: first },
          precondition: null,
          key: KEY,
        }),
    ],
    cancel: [
      ({ jobs }, { records: [first], author }) => jobs.cancel(first, QUEUED, author),
      ({ jobs }, { records: [first], author }) => jobs.cancel(first, NEW, author),
    ],
  },
};

const withEmptied = databaseOfFile();

const dryTest: TestWith<Fixtures> = (name, run) =>
  test(name, () =>
    withEmptied((database) =>
      run({
        ports: postgresPorts(database),
        dry: postgresPorts(database.dry),
        dump: () => dumpTables(database),
      }),
    ),
  );

for (const [port, methods] of Object.entries(WRITES)) {
  for (const [method, writes] of Object.entries<readonly Write[]>(methods)) {
    dryTest(
      `${port}.${method} returns the same in a dry run, which stores nothing`,
      async ({ ports, dry, dump }) => {
        const setup = await aSetup(ports);
        for (const write of writes) {
          const before = await dump();
          const tried = [await outcomeOf(write(dry, setup)), await outcomeOf(write(dry, setup))];
          expect(await dump()).toEqual(before);
          const stored = await outcomeOf(write(ports, setup));
          expect(tried).toEqual([stored, stored]);
        }
      },
    );
  }
}

dryTest('a dry run returns a kept response', async ({ ports, dry, dump }) => {
  const { family, author } = await aSetup(ports);
  const create = ({ records }: PostgresPorts) =>
    createOnce(records, family, aRecordDraft(), { author, requireRegistered: false }, KEY);
  const first = await create(ports);
  const before = await dump();
  expect(await create(dry)).toEqual({ ...first, isFirst: false });
  expect(await dump()).toEqual(before);
});

dryTest("concurrent dry runs do not see each other's writes", async ({ ports, dry, dump }) => {
  const { family, records } = await aSetup(ports);
  const before = await dump();
  const created = await Promise.all(Array.from({ length: 20 }, () => aRecord(dry, family)));
  expect(new Set(created.map(({ order }) => order))).toEqual(new Set([4]));
  const saved = Array.from({ length: 20 }, () =>
    dry.records.save(aRecordWrite(records[0], { name: 'Tried' })),
  );
  expect(new Set((await Promise.all(saved)).map((record) => record?.version))).toEqual(new Set([2]));
  expect(await dump()).toEqual(before);
});

dryTest('of concurrent writes and dry runs, only the writes are stored', async ({ ports, dry }) => {
  const { family } = await aSetup(ports);
  const pick = seededPick(1);
  const works = Array.from({ length: 60 }, (_, n) =>
    pick(2) === 0
      ? aRecord(ports, family, { name: `stored ${n}` })
      : aRecord(dry, family, { name: `tried ${n}` }),
  );
  const stored = (await Promise.all(works)).filter(({ name }) => name?.startsWith('stored'));
  const live = (await liveRecords(ports, family)).slice(3);
  expect(new Set(live.map(({ id }) => id))).toEqual(new Set(stored.map(({ id }) => id)));
  expect(live.map(({ order }) => order)).toEqual(live.map((_, n) => n + 4));
});

/** A family of three records, one with a queued job; a registered plugin; an alert; a key. */
async function aSetup(ports: PostgresPorts): Promise<Setup> {
  await ports.plugins.register(aPlugin(), NO_DEFAULTS, anAuthor());
  const family = await aFamily(ports);
  const first = await aRecord(ports, family);
  const records = [first, await aRecord(ports, family), await aRecord(ports, family)] as const;
  await ports.jobs.queue(aJob(first, { id: QUEUED }), null);
  await ports.runtimes.report({ family, instance: 'known', report: aRuntimeReport(), at: secondsLater(0) });
  const alert = await anAlert(ports, family);
  const { id: webhookId } = (await aWebhook(ports, family.projectId)).webhook;
  const sent = await ports.dispatches.test(family.projectId, webhookId, anAuthor());
  const deliveryId = sent?.id ?? '';
  const { id: keyId, label } = await ports.keys.add(anApiKey(), anAuthor());
  const { id: trustId } = await ports.trusts.add(aTrust(), anAuthor());
  await ports.users.signIn(aUser(), aSignIn(), anAuthor());
  return {
    family,
    records,
    webhookId,
    deliveryId,
    keyId,
    trustId,
    alert,
    author: anAuthor({ actor: { keyId, label }, at: secondsLater(60) }),
  };
}

/** Different each time: from sequences, at random, or by the clock of the database. A new account has the id of its first key. */
const DRAWN = new Set(['id', 'accountId', 'secret', 'createdAt', 'dueAt']);

/** Returns the result without what is drawn, or the error. */
async function outcomeOf(work: Promise<unknown>): Promise<unknown> {
  try {
    return JSON.stringify(await work, (name, value: unknown) => (DRAWN.has(name) ? undefined : value));
  } catch (error) {
    return { rejected: String(error) };
  }
}
