import { ingest, registerPlugin } from '@plugin-config/domain';
import {
  aFamily,
  anAlert,
  anAuthor,
  anErrorReport,
  aPlugin,
  aRecord,
  aWebhook,
  evaluateAt,
  secondsLater,
} from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { logPortsOf } from '../testing/postgres-log-ports.fixture.ts';

const withEmptied = databaseOfFile({ publicUrl: 'https://plugins.example.com/base' });

test('events name their project, record and plugin, and link to the console', async () => {
  await withEmptied(async (database) => {
    const ports = logPortsOf(database);
    const ref = await aFamily(ports);
    const { webhook } = await aWebhook(ports, ref.projectId);
    const record = await aRecord(ports, ref, { name: 'Ann\'s "alerts"' });
    await ports.dispatches.test(ref.projectId, webhook.id, anAuthor());
    const { items } = await ports.dispatches.page(ref.projectId, webhook.id, { limit: 10, offset: 0 });
    const page = `https://plugins.example.com/base/console/projects/${ref.projectId}`;
    const data = items.map(({ payload }) => (JSON.parse(payload) as { data: unknown }).data);
    expect(data).toMatchObject([
      { record: null, plugin: null, url: page },
      {
        project: { id: ref.projectId },
        record: { id: record.id, name: 'Ann\'s "alerts"' },
        plugin: { id: record.plugin },
        url: `${page}/plugin_configs/${record.id}`,
      },
    ]);
  });
});

test('the incident of an unnamed record calls it after its plugin, as the console does', async () => {
  await withEmptied(async (database) => {
    const ports = logPortsOf(database);
    const family = await aFamily(ports);
    const { webhook } = await aWebhook(ports, family.projectId, { events: ['incident.opened'] });
    await registerPlugin(ports, aPlugin({ id: 7, name: 'GeoIP' }), anAuthor());
    const records = [
      await aRecord(ports, family, { enabled: true, plugin: 7, name: null }),
      await aRecord(ports, family, { enabled: true, plugin: 7, name: ' ' }),
      await aRecord(ports, family, { enabled: true, plugin: 8, name: null }),
    ];
    await ingest(
      ports,
      records.map((record) => anErrorReport(record, 'timed out')),
    );
    await anAlert(ports, family);
    await evaluateAt(ports, secondsLater(1));
    const { items } = await ports.dispatches.page(family.projectId, webhook.id, { limit: 10, offset: 0 });
    const named = items.map(
      ({ payload }) => (JSON.parse(payload) as { data: { record: unknown } }).data.record,
    );
    const [registered, blank, unregistered] = records.map(({ id }) => id);
    expect(named.toReversed()).toEqual([
      { id: registered, name: `GeoIP ${registered}` },
      { id: blank, name: `GeoIP ${blank}` },
      { id: unregistered, name: `Record ${unregistered}` },
    ]);
  });
});
