import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { neighbour } from '../testing/neighbour.ts';
import { pushHead, rawSender } from '../testing/raw-sender.ts';
import { runService } from '../testing/running-service.ts';

const BODIES = 50;
const BODY_BYTES = 50_000;
/** Refusing a body costs 50 ms, because Node parses 64 KiB at once. */
const PAUSE_MS = 200;
const MOST_MB = 300;

test('bodies in pieces of one byte are refused, and cost others neither memory nor time', async () => {
  await using service = await runService();
  const [one, other] = [await service.tenant(), await service.tenant()];
  const beside = await neighbour(other);
  const pieces = '1\r\n\n\r\n'.repeat(BODY_BYTES);
  const senders: Socket[] = [];
  const answers: Promise<string>[] = [];
  while (senders.length < BODIES) {
    const sender = await rawSender(one.ingestion);
    senders.push(sender);
    answers.push(firstLine(sender));
    sender.write(pushHead(one.token, 'Transfer-Encoding: chunked') + pieces);
    await sleep(PAUSE_MS);
  }
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['HTTP/1.1 400 Bad Request']));
  const metrics = await (await fetch(`${one.ingestion}/metrics`)).text();
  const resident = Number(/^process_resident_memory_bytes (\d+)$/m.exec(metrics)?.[1]);
  expect(resident / 1e6).toBeLessThan(MOST_MB);
  await beside.expectUnharmed();
  for (const sender of senders) sender.destroy();
});

async function firstLine(socket: Socket): Promise<string> {
  const [answer] = (await once(socket, 'data')) as [Buffer];
  return answer.toString('latin1').split('\r\n')[0] ?? '';
}
