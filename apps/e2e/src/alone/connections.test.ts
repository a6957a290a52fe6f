/** @module-tag long */

import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@plugin-config/server/testing';
import { expect, test } from 'vitest';
import { metricOf } from '../testing/metric-of.ts';
import { neighbour } from '../testing/neighbour.ts';
import { creationHead, pushHead, rawSender } from '../testing/raw-sender.ts';
import { serviceOfFile } from '../testing/running-service.ts';

/** With so many open files, an HTTP app has at most 2,500 connections. An account can keep 2,048 of them busy. */
const OPEN_FILES = 3_000;
const MOST = 2_500;
const SENDERS = 2_600;
const ANNOUNCED = 15 * 1024 * 1024;
const CLIENTS = 50;
/** The connections that may be opened in the instant in which the server stops listening. */
const UNLUCKY = 2;

const running = serviceOfFile({}, { openFiles: OPEN_FILES });

test('announced but unsent bodies do not block other pushes', async () => {
  const { tenant } = running();
  const [one, two, other] = [await tenant(), await tenant(), await tenant()];
  const beside = await neighbour(other);
  const senders = await Promise.all(
    [one, one, two, two, two].map(async (each) => {
      const socket = await rawSender(each.ingestion);
      socket.write(`${pushHead(each, `Content-Length: ${ANNOUNCED}`)}{`);
      return socket;
    }),
  );
  await sleep(500);
  const id = await other.attach();
  const lines = Array.from({ length: 200 }, () => ({ plugin_config_id: id, message: 'x'.repeat(50_000) }));
  expect((await other.push(lines)).status).toBe(200);
  await beside.expectUnharmed();
  for (const socket of senders) socket.destroy();
});

test('the bodies of one account do not take all connections', async () => {
  const { tenant } = running();
  const [greedy, other] = [await tenant(), await tenant()];
  const senders = await Promise.all(
    Array.from({ length: SENDERS }, async () => {
      const socket = await rawSender(greedy.api);
      socket.write(`${creationHead(greedy, 'Content-Length: 10')}{`);
      return socket;
    }),
  );
  await until(async () => (await metricOf(other.api, 'http_connections')) > 2_000);
  expect(await metricOf(other.api, 'http_connections')).toBeLessThanOrEqual(MOST);
  for (let call = 0; call < 20; call++) {
    const start = performance.now();
    // The first one may be dropped, and make room.
    await until(async () => (await connectAnew(`${other.api}/livez`)) === '200');
    expect(performance.now() - start).toBeLessThan(1_000);
  }
  for (const socket of senders) socket.destroy();
});

test('stopping cuts off none of the callers that go on connecting', async () => {
  const app = running().run('http');
  const url = await app.url();
  const endings: string[] = [];
  const client = async (): Promise<void> => {
    while (endings.at(-1) !== 'ECONNREFUSED') endings.push(await connectAnew(`${url}/livez`));
  };
  const clients = Array.from({ length: CLIENTS }, client);
  await sleep(500);
  app.child.kill('SIGTERM');
  await Promise.all(clients);
  expect(await app.exited).toBe(0);
  const cutOff = endings.filter((ending) => ending !== '200' && ending !== 'ECONNREFUSED');
  expect(cutOff.length, `${cutOff.join()} of ${endings.length}`).toBeLessThanOrEqual(UNLUCKY);
});

/** The status that a connection of its own is answered with, or the code of what it ends in. */
function connectAnew(url: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  get(url, { agent: false }, (answer) => resolve(String(answer.resume().statusCode))).on(
    'error',
    ({ code }: NodeJS.ErrnoException) => resolve(String(code)),
  );
  return promise;
}
