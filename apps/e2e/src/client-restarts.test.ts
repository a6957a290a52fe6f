/** @module-tag long */

import { logSender } from '@plugin-config/client';
import { expect, test } from 'vitest';
import { patientProject } from './testing/patient-project.ts';
import { revokeKey } from './testing/revoke-key.ts';
import { sharedService } from './testing/shared-service.ts';

const LINES = 2_000;
/** The worker is killed once in the middle of as many lines. */
const LINES_OF_KILL = 1_000;

const running = sharedService();

test('reads and guarded writes go on over a restart of the HTTP app', async () => {
  const service = running();
  const tenant = await service.tenant();
  const id = await tenant.attach();
  const { pluginConfigs } = patientProject(tenant);
  const record = await pluginConfigs.retrieve(id);
  await service.end('http');
  const calls = Promise.all([
    pluginConfigs.update(id, { name: 'New' }, { ifMatch: record }),
    pluginConfigs.list().page(),
  ]);
  await service.startAgain('http');
  expect(await calls).toMatchObject([{ id, name: 'New' }, { count: 1 }]);
});

test('a log sender has everything stored once and in order, though the worker is killed again and again', async () => {
  const service = running();
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
  const messages = Array.from({ length: LINES }, (_, index) => `line ${index}`);
  for (const [index, message] of messages.entries()) {
    await log.info(message);
    if (index % LINES_OF_KILL !== LINES_OF_KILL / 2) continue;
    await service.end('worker');
    await service.startAgain('worker');
  }
  const { stored, duplicates, dead } = await sender.close();
  expect([stored + duplicates, dead]).toEqual([LINES, 0]);
  expect(errors).toContain('unreachable');
  const entries = await Array.fromAsync(tenant.pluginConfigs.logs(id, { limit: 1_000 }));
  expect(entries.map(({ message }) => message).toReversed()).toEqual(messages);
});

test('a log sender counts the dead letters, and ends with its key', async () => {
  const service = running();
  const tenant = await service.tenant();
  const id = await tenant.attach();
  const sender = logSender({ url: tenant.ingestion, key: tenant.token });
  await sender.logger(id).info('good');
  await sender.logger(999_999).info('nobody');
  expect(await sender.flush()).toEqual({ stored: 1, duplicates: 0, dead: 1 });
  await revokeKey(service, tenant);
  await sender.logger(id).info('late');
  await expect(sender.flush()).rejects.toMatchObject({ code: 'authentication_failed', status: 401 });
});
