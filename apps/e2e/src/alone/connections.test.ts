/** @module-tag long */

import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { neighbour } from '../testing/neighbour.ts';
import { pushHead, rawSender } from '../testing/raw-sender.ts';
import { serviceOfFile } from '../testing/running-service.ts';

const DECLARED_BYTES = 15 * 1024 * 1024;
const CLIENTS = 50;
/** Connections may be opened at the very moment the server stops listening. */
const MAX_RESETS = 2;

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

test('stopping does not cut off callers that keep connecting', async () => {
  const app = running().run('http');
  const url = await app.url();
  const endings: string[] = [];
  const client = async (): Promise<void> => {
    while (endings.at(-1) !== 'ECONNREFUSED') endings.push(await reconnect(`${url}/livez`));
  };
  const clients = Array.from({ length: CLIENTS }, client);
  await sleep(500);
  app.child.kill('SIGTERM');
  await Promise.all(clients);
  expect(await app.exited).toBe(0);
  const cutOff = endings.filter((ending) => ending !== '200' && ending !== 'ECONNREFUSED');
  expect(cutOff.length, `${cutOff.join()} of ${endings.length}`).toBeLessThanOrEqual(MAX_RESETS);
});

/** Sends a request on a new connection. Returns its status or error code. */
function reconnect(url: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  get(url, { agent: false }, (response) => resolve(String(response.resume().statusCode))).on(
    'error',
    ({ code }: NodeJS.ErrnoException) => resolve(String(code)),
  );
  return promise;
}
