/** @module-tag long */

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { neighbour } from '../testing/neighbour.ts';
import { pushHead, rawSender } from '../testing/raw-sender.ts';
import { serviceOfFile } from '../testing/running-service.ts';

const DECLARED_BYTES = 15 * 1024 * 1024;

const running = serviceOfFile();

test('declared but unsent bodies do not block other pushes', async () => {
  const { tenant } = running();
  const [one, two, other] = [await tenant(), await tenant(), await tenant()];
  const bystander = await neighbour(other);
  const senders = await Promise.all(
    [one, one, two, two, two].map(async (each) => {
      const socket = await rawSender(each.ingestion);
      socket.write(`${pushHead(each, `Content-Length: ${DECLARED_BYTES}`)}{`);
      return socket;
    }),
  );
  await sleep(500);
  const id = await other.attach();
  const lines = Array.from({ length: 200 }, () => ({ plugin_config_id: id, message: 'x'.repeat(50_000) }));
  expect((await other.push(lines)).status).toBe(200);
  await bystander.expectUnaffected();
  for (const socket of senders) socket.destroy();
});
