import { aFamily, anAuthor, aRecord, aWebhook } from '@plugin-config/testing';
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
