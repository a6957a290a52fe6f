import {
  FAMILIES,
  ingest,
  NO_QUOTA,
  pinRecord,
  registerVersion,
  SERVICE,
  updateRecord,
  type Dispatch,
  type FamilyRef,
  type VersionChange,
  type Webhook,
} from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aJob } from '../builders/a-job.ts';
import { aPlugin, aVersion } from '../builders/a-plugin.ts';
import { aRecord } from '../builders/a-record.ts';
import { aRecordWrite } from '../builders/a-record-write.ts';
import { aWebhook } from '../builders/a-webhook.ts';
import { anAuthor, MOMENT, secondsLater } from '../builders/an-author.ts';
import { anEntry } from '../builders/an-ingest-message.ts';
import { seededRandomness } from '../builders/seeded-randomness.ts';
import type { LogPorts } from '../log-ports.ts';
import type { TestWith } from '../test-with.ts';

const MANY = 50;

export function webhookEventsContract(test: TestWith<LogPorts>): void {
  test('each change to a record is an event, in order, with what changed and who did it', async (ports) => {
    for (const family of FAMILIES) {
      const ref = await aFamily(ports, family);
      await aRecord(ports, ref);
      const { webhook } = await aWebhook(ports, ref.projectId);
      const actor = { keyId: 7, label: 'deploy' };
      const record = await aRecord(ports, ref);
      const enabled = await ports.records.save(
        aRecordWrite(record, { enabled: true }, { activity: { activity: 'enabled', actor } }),
      );
      await ports.jobs.queue(aJob(record, { id: seededRandomness(ref.projectId).uuid() }), null);
      const gone = { deleted: true, enabled: false };
      await ports.records.save(
        aRecordWrite(enabled ?? record, gone, { activity: { activity: 'deleted', actor } }),
      );
      const data = { project_id: ref.projectId, family, record_id: record.id };
      const operator = { key_id: null, label: 'operator' };
      const deploy = { key_id: 7, label: 'deploy' };
      const timestamp = MOMENT.toISOString();
      const project = { id: ref.projectId, external_id: null, name: expect.any(String) };
      const described = {
        project,
        record: { id: record.id, name: `Record ${record.id}` },
        plugin: { id: record.plugin, slug: null, name: null },
        url: null,
      };
      const payloads = (await eventsOf(ports, webhook)).map(({ payload }) => JSON.parse(payload) as unknown);
      expect(payloads).toEqual([
        {
          type: 'record.created',
          timestamp,
          data: { ...data, version: 1, activity: 'created', actor: operator, ...described },
        },
        {
          type: 'record.updated',
          timestamp,
          data: { ...data, version: 2, activity: 'enabled', actor: deploy, ...described },
        },
        {
          type: 'record.deleted',
          timestamp,
          data: { ...data, version: 3, activity: 'deleted', actor: deploy, ...described },
        },
      ]);
    }
  });

  test('a change made by an alert is a separate event', async (ports) => {
    const ref = await aFamily(ports);
    const record = await aRecord(ports, ref, { enabled: true });
    const { webhook } = await aWebhook(ports, ref.projectId);
    const actor = { keyId: null, label: 'alert 7: Errors' };
    await ports.records.save(
      aRecordWrite(record, { enabled: false }, { activity: { activity: 'disabled', actor } }),
    );
    expect((await eventsOf(ports, webhook)).map(({ type }) => type)).toEqual(['record.disabled_by_alert']);
  });

  test('a webhook gets the events that it subscribes to, of its own project, while it is enabled', async (ports) => {
    const [ref, other] = [await aFamily(ports), await aFamily(ports)];
    const { webhook: created } = await aWebhook(ports, ref.projectId, { events: ['record.created'] });
    const { webhook: deleted } = await aWebhook(ports, ref.projectId, { events: ['record.deleted'] });
    const { webhook: disabled } = await aWebhook(ports, ref.projectId, { enabled: false });
    const { webhook: foreign } = await aWebhook(ports, other.projectId);
    await aRecord(ports, ref);
    const counts = [];
    for (const webhook of [created, deleted, disabled, foreign])
      counts.push((await eventsOf(ports, webhook)).length);
    expect(counts).toEqual([1, 0, 0, 0]);
  });

  test('a webhook for all projects gets the events of each, also of later ones, or those of a plugin', async (ports) => {
    const { webhook: all } = await aWebhook(ports, SERVICE);
    const { webhook: ofPlugin } = await aWebhook(ports, SERVICE, { plugin: 8 });
    const refs = [await aFamily(ports), await aFamily(ports)];
    const records = [];
    for (const [i, ref] of refs.entries()) records.push(await aRecord(ports, ref, { plugin: 8 + i }));
    const [first, second] = records.map(({ id, projectId }) => ({
      type: 'record.created',
      data: { project_id: projectId, record_id: id, project: { id: projectId } },
    }));
    const payloadsOf = async (webhook: Webhook) =>
      (await eventsOf(ports, webhook)).map(({ payload }) => JSON.parse(payload) as unknown);
    expect(await payloadsOf(all)).toMatchObject([first, second]);
    expect(await payloadsOf(ofPlugin)).toMatchObject([first]);
    await ports.dispatches.test(SERVICE, all.id, anAuthor());
    expect((await payloadsOf(all))[2]).toMatchObject({
      data: { project_id: null, project: null, record: null },
    });
    await ports.erasures.start(refs[0]?.projectId ?? 0, 'Project', anAuthor());
    const tasks = await ports.tasks.claim('dispatch', { limit: 10, exceptTenants: [] });
    const begun = await Promise.all(tasks.map((task) => ports.dispatchRuns.begin(task)));
    expect(new Set(begun.map((dispatch) => dispatch?.webhookId))).toEqual(new Set([all.id, ofPlugin.id]));
  });

  test('webhooks of two plugins get the event that moves a record from one to the other', async (ports) => {
    const ref = await aFamily(ports);
    const [from, to, other] = await Promise.all(
      [8, 9, 10].map(async (plugin) => (await aWebhook(ports, ref.projectId, { plugin })).webhook),
    );
    const record = await aRecord(ports, ref, { plugin: 8 });
    const dependencies = { ...ports, requireRegistered: false };
    const command = { record, precondition: null, change: { plugin: 9 }, author: anAuthor() };
    await updateRecord(dependencies, command);
    const typesOf = async (webhook: Webhook | undefined) =>
      (webhook === undefined ? [] : await eventsOf(ports, webhook)).map(({ type }) => type);
    expect(await typesOf(from)).toEqual(['record.created', 'record.updated']);
    expect(await typesOf(to)).toEqual(['record.updated']);
    expect(await typesOf(other)).toEqual([]);
  });

  test('changes made while no webhook subscribed to them are not events', async (ports) => {
    const ref = await aFamily(ports);
    await aRecord(ports, ref);
    const { webhook } = await aWebhook(ports, ref.projectId, { events: ['incident.opened'] });
    await aRecord(ports, ref);
    const change = (given: Partial<Webhook>) =>
      ports.webhooks.change(ref.projectId, webhook.id, null, (now) => ({ ...now, ...given }), anAuthor());
    await change({ events: ['record.created'] });
    const { id: first } = await aRecord(ports, ref);
    await change({ enabled: false });
    await aRecord(ports, ref);
    await change({ enabled: true });
    const { id: second } = await aRecord(ports, ref);
    const payloads = (await eventsOf(ports, webhook)).map(({ payload }) => JSON.parse(payload) as unknown);
    expect(payloads).toMatchObject([{ data: { record_id: first } }, { data: { record_id: second } }]);
  });

  test('no event of a change is lost, whenever its webhook is disabled', async (ports) => {
    const ref = await aFamily(ports);
    const { webhook } = await aWebhook(ports, ref.projectId, { events: ['record.created'] });
    for (let n = 0; n < 50; n++) await aRecord(ports, ref);
    const enable = (enabled: boolean) =>
      ports.webhooks.change(ref.projectId, webhook.id, null, (now) => ({ ...now, enabled }), anAuthor());
    await enable(false);
    await enable(true);
    expect(await eventsOf(ports, webhook)).toHaveLength(50);
    expect((await ports.tasks.backlog()).dispatch.due).toBe(50);
  });

  test('the events of many concurrent changes are queued in order', async (ports) => {
    const families = [await aFamily(ports), await aFamily(ports)];
    const webhooks = [];
    for (const { projectId } of families) webhooks.push((await aWebhook(ports, projectId)).webhook);
    await Promise.all(families.map((ref) => changeOften(ports, ref)));
    for (const webhook of webhooks) {
      const types = (await eventsOf(ports, webhook)).map(({ type }) => type);
      expect(types).toEqual(['record.created', ...Array<string>(MANY).fill('record.updated')]);
    }
  });

  test('a project that has exceeded its log quota is an event, once a day', async (ports) => {
    const ref = await aFamily(ports);
    const record = await aRecord(ports, ref);
    const logQuota = { ...NO_QUOTA, entriesPerDay: 1 };
    await ports.projects.change(ref.projectId, { logQuota }, anAuthor());
    const { webhook } = await aWebhook(ports, ref.projectId, { events: ['project.quota_reached'] });
    const { webhook: other } = await aWebhook(ports, ref.projectId, { events: ['record.created'] });
    const { webhook: all } = await aWebhook(ports, SERVICE, { events: ['project.quota_reached'] });
    const { webhook: ofPlugin } = await aWebhook(ports, SERVICE, { plugin: record.plugin });
    await ingest(ports, [anEntry(record)]);
    await ports.webhookEvents.queueQuotaEvents();
    expect(await eventsOf(ports, webhook)).toEqual([]);
    await ingest(ports, [anEntry(record), anEntry(record)]);
    for (let n = 0; n < 2; n++) await ports.webhookEvents.queueQuotaEvents();
    const [event, ...others] = await eventsOf(ports, webhook);
    const day = new Date().toISOString().slice(0, 'yyyy-mm-dd'.length);
    expect(JSON.parse(event?.payload ?? '')).toMatchObject({
      type: 'project.quota_reached',
      data: { project_id: ref.projectId, day },
    });
    expect([others, await eventsOf(ports, other), await eventsOf(ports, ofPlugin)]).toEqual([[], [], []]);
    expect((await eventsOf(ports, all)).map(({ payload }) => payload)).toEqual([event?.payload]);
  });

  test('a version that becomes deprecated is one event for all projects, and for each with a record of it', async (ports) => {
    const author = anAuthor();
    const plugin = aPlugin({ id: 7, slug: 'geoip', name: 'GeoIP' });
    await ports.plugins.register(plugin, new Map(), author);
    for (const version of ['1', '2'])
      await registerVersion(ports, 7, aVersion({ version, checks: true }), author);
    const [following, pinned, without] = [await aFamily(ports), await aFamily(ports), await aFamily(ports)];
    await aRecord(ports, following, { plugin: 7 });
    const record = await aRecord(ports, pinned, { plugin: 7 });
    await pinRecord(ports, { record, version: '1', precondition: null, author });
    await aRecord(ports, without, { plugin: 8 });
    const events = ['plugin.deprecated'] as const;
    const webhooks = [
      await aWebhook(ports, following.projectId, { events, plugin: 7 }),
      await aWebhook(ports, SERVICE, { events }),
      await aWebhook(ports, SERVICE, { events, plugin: 7 }),
      await aWebhook(ports, pinned.projectId, { events }),
      await aWebhook(ports, without.projectId, { events }),
      await aWebhook(ports, following.projectId, { events, plugin: 8 }),
      await aWebhook(ports, following.projectId, { events: ['record.created'] }),
    ];
    const counts = () =>
      Promise.all(webhooks.map(async ({ webhook }) => (await eventsOf(ports, webhook)).length));
    const change = (given: VersionChange, at: Date) =>
      ports.pluginVersions.change(7, '2', given, anAuthor({ at }));
    const upgradeBy = new Date('2027-06-01T00:00:00.000Z');
    await change({ state: 'deprecated', message: 'Its API ends.', upgradeBy }, MOMENT);
    expect(await counts()).toEqual([1, 1, 1, 0, 0, 0, 0]);
    const sent = await Promise.all(
      webhooks.slice(0, 2).map(async ({ webhook }) => {
        const [event] = await eventsOf(ports, webhook);
        return JSON.parse(event?.payload ?? '') as unknown;
      }),
    );
    const data = {
      version: '2',
      message: 'Its API ends.',
      upgrade_by: upgradeBy.toISOString(),
      record: null,
      plugin: { id: 7, slug: 'geoip', name: 'GeoIP' },
      url: null,
    };
    const { projectId } = following;
    const project = { id: projectId, external_id: null, name: expect.any(String) };
    const event = { type: 'plugin.deprecated', timestamp: MOMENT.toISOString() };
    expect(sent).toEqual([
      { ...event, data: { ...data, project_id: projectId, project } },
      { ...event, data: { ...data, project_id: null, project: null } },
    ]);
    await change({ message: 'Later.' }, secondsLater(1));
    await change({ state: 'supported' }, secondsLater(2));
    expect(await counts()).toEqual([1, 1, 1, 0, 0, 0, 0]);
    await change({ state: 'deprecated' }, secondsLater(3));
    expect(await counts()).toEqual([2, 2, 2, 0, 0, 0, 0]);
  });
}

async function changeOften(ports: LogPorts, ref: FamilyRef): Promise<void> {
  let record = await aRecord(ports, ref);
  for (let n = 0; n < MANY; n++) {
    record = (await ports.records.save(aRecordWrite(record, {}))) ?? record;
  }
}

/** Returns the deliveries of a webhook, oldest first. */
async function eventsOf({ dispatches }: LogPorts, { projectId, id }: Webhook): Promise<readonly Dispatch[]> {
  const { items } = await dispatches.page(projectId, id, { limit: 10_000, offset: 0 });
  return items.toReversed();
}
