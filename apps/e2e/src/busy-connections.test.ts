import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'vitest';
import { until } from '@plugin-config/service/testing';
import { neighbour } from './testing/neighbour.ts';
import { pushHead, rawSender } from './testing/raw-sender.ts';
import { runService } from './testing/running-service.ts';

/** As many as the worker holds, and some more. */
const SLOW_BODIES = 3050;
const AT_ONCE = 50;

test('bodies of one key that never end on all connections keep nobody from pushing', async () => {
  await using service = await runService();
  const [one, other] = [await service.tenant(), await service.tenant()];
  const half = `${pushHead(one.token, 'Content-Length: 100')}{`;
  for (let i = 0; i < SLOW_BODIES; i += AT_ONCE) {
    const sockets = await Promise.all(Array.from({ length: AT_ONCE }, () => rawSender(one.ingestion)));
    for (const socket of sockets) socket.write(half);
  }
  /** Asks by a new connection. */
  const evicted = async (): Promise<boolean> => {
    const metrics = await (await fetch(`${other.ingestion}/metrics`)).text();
    return Number(/^http_connections_evicted\S* (\d+)$/m.exec(metrics)?.[1]) > 0;
  };
  await until(evicted);
  const beside = await neighbour(other);
  await sleep(2000);
  await beside.expectUnharmed();
});
