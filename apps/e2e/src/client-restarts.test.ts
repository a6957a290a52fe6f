import { logSender } from '@plugin-config/client';
import { expect, test } from 'vitest';
import { patientProject } from './testing/patient-project.ts';
import { runService } from './testing/running-service.ts';

test('reads and guarded writes go on over a restart of the HTTP app', async () => {
  await using service = await runService();
  const tenant = await service.tenant();
  const id = await tenant.attach();
  const { pluginConfigs } = patientProject(tenant);
  const record = await pluginConfigs.retrieve(id);
  service.http.child.kill('SIGKILL');
  await service.http.exited;
  const calls = Promise.all([
    pluginConfigs.update(id, { name: 'New' }, { ifMatch: record }),
    pluginConfigs.list().page(),
  ]);
  service.run('http', { PORT: new URL(tenant.api).port });
  expect(await calls).toMatchObject([{ id, name: 'New' }, { count: 1 }]);
});

test('a log sender has everything stored once and in order, though the worker is killed again and again', async () => {
  await using service = await runService();
  const tenant = await service.tenant();
  const id = await tenant.attach();
  const errors = new Set<string>();
  const sender = logSender({
    url: tenant.ingestion,
    key: tenant.token,
    batchLines: 100,
    maxBytes: 100_000,
    onError: ({ code }) => errors.add(code),
  });
  const log = sender.logger(id);
  const messages = Array.from({ length: 3_000 }, (_, index) => `line ${index}`);
  let { worker } = service;
  for (const [index, message] of messages.entries()) {
    await log.info(message);
    if (index % 1_000 !== 500) continue;
    worker.child.kill('SIGKILL');
    await worker.exited;
    worker = service.run('worker', { WORKER_PORT: new URL(tenant.ingestion).port });
  }
  const { stored, duplicates, dead } = await sender.close();
  expect([stored + duplicates, dead]).toEqual([3_000, 0]);
  expect(errors).toContain('unreachable');
  const entries = await Array.fromAsync(tenant.pluginConfigs.logs(id, { limit: 1_000 }));
  expect(entries.map(({ message }) => message).toReversed()).toEqual(messages);
});

test('a log sender counts the dead letters, and ends with its key', async () => {
  await using service = await runService();
  const tenant = await service.tenant();
  const id = await tenant.attach();
  const sender = logSender({ url: tenant.ingestion, key: tenant.token });
  await sender.logger(id).info('good');
  await sender.logger(999_999).info('nobody');
  expect(await sender.flush()).toEqual({ stored: 1, duplicates: 0, dead: 1 });
  await service.rows('update api_key set revoked_at = now()');
  await sender.logger(id).info('late');
  await expect(sender.flush()).rejects.toMatchObject({ code: 'authentication_failed', status: 401 });
});
