import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { until } from '@plugin-config/server/testing';
import { neighbour } from '../testing/neighbour.ts';
import { pushHead, rawSender } from '../testing/raw-sender.ts';
import { IMPATIENT, runService } from '../testing/running-service.ts';

const HALF_A_HEADER = 'GET /livez HTTP/1.1\r\nHost:';
const HALF_OPEN = 2000;
const ANNOUNCED = 15 * 1024 * 1024;
/** The time for the headers, with the patience of `IMPATIENT`. */
const HEADERS_MS = 8_000;

const openAt = async (url: string): Promise<number> => {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^http_connections (\d+)$/m.exec(metrics)?.[1]);
};

test('announced but unsent bodies do not block other pushes', async () => {
  await using service = await runService();
  const [one, two, other] = [await service.tenant(), await service.tenant(), await service.tenant()];
  const beside = await neighbour(other);
  const senders = await Promise.all(
    [one, one, two, two, two].map(async ({ token, ingestion }) => {
      const socket = await rawSender(ingestion);
      socket.write(`${pushHead(token, `Content-Length: ${ANNOUNCED}`)}{`);
      return socket;
    }),
  );
  await sleep(1000);
  expect((await other.push(Array.from({ length: 10_000 }, () => 'x'.repeat(1000)))).status).toBe(200);
  await beside.expectUnharmed();
  for (const socket of senders) socket.destroy();
});

test('connections with an incomplete header are closed in both apps, and harm nobody until then', async () => {
  await using service = await runService({}, { mains: IMPATIENT });
  const other = await service.tenant();
  const beside = await neighbour(other);
  const urls = [other.api, other.ingestion];
  const sockets = await Promise.all(
    urls.flatMap((url) =>
      Array.from({ length: HALF_OPEN }, async () => {
        const socket = await rawSender(url);
        socket.write(HALF_A_HEADER);
        return socket;
      }),
    ),
  );
  const allAreOpen = async (): Promise<boolean> =>
    (await Promise.all(urls.map(openAt))).every((open) => open > HALF_OPEN);
  await until(allAreOpen, HEADERS_MS);
  await beside.expectUnharmed();
  const fewAreOpen = async (): Promise<boolean> =>
    (await Promise.all(urls.map(openAt))).every((open) => open < 50);
  await until(fewAreOpen, HEADERS_MS + 5000);
  for (const socket of sockets) socket.destroy();
});
