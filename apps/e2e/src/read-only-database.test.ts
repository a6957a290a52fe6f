/** @module-tag long */

import { until } from '@plugin-config/server/testing';
import { expect, test } from 'vitest';
import { cutConnections } from './testing/kills.ts';
import { runService, type RunningService } from './testing/running-service.ts';

/** Simulates a failover to a standby: connections are closed, and new connections can only read. */
async function setReadOnly(service: RunningService, value: 'on' | 'off'): Promise<void> {
  const name = new URL(service.databaseUrl).pathname.slice(1);
  await service.rows(
    `begin read write; alter database ${name} set default_transaction_read_only = ${value}; commit`,
  );
  await cutConnections(service);
}

async function readiness(service: RunningService) {
  const urls = await Promise.all([service.http.url(), service.worker.url()]);
  return Promise.all(
    urls.map(async (url) => {
      const response = await fetch(`${url}/readyz`);
      const { detail } = (await response.json()) as { readonly detail?: string };
      return { status: response.status, detail };
    }),
  );
}

test('while the database is read-only, neither app is ready, and both report why', async () => {
  await using service = await runService();
  const { pluginConfigs, attach } = await service.tenant();
  const id = await attach();
  await setReadOnly(service, 'on');
  const notReady = {
    status: 503,
    detail: 'The database cannot be written to: it is a standby, or default_transaction_read_only is on.',
  };
  await until(async () => (await readiness(service)).every(({ detail }) => detail === notReady.detail));
  expect(await readiness(service)).toEqual([notReady, notReady]);
  expect(await pluginConfigs.retrieve(id)).toMatchObject({ id, name: null });
  await expect(pluginConfigs.update(id, { name: 'New' })).rejects.toMatchObject({ status: 503 });
  await setReadOnly(service, 'off');
  await until(async () => (await readiness(service)).every(({ status }) => status === 200));
  expect(await pluginConfigs.update(id, { name: 'New' })).toMatchObject({ id, name: 'New' });
});
