import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runService } from '../testing/running-service.ts';

const CLIENTS = 50;
/** The connections that may be opened in the instant in which the server stops listening. */
const UNLUCKY = 2;

test('stopping cuts off none of the callers that go on connecting', async () => {
  await using service = await runService();
  const url = await service.http.url();
  const endings: string[] = [];
  const client = async (): Promise<void> => {
    while (endings.at(-1) !== 'ECONNREFUSED') endings.push(await connectAnew(`${url}/livez`));
  };
  const clients = Array.from({ length: CLIENTS }, client);
  await sleep(500);
  service.http.child.kill('SIGTERM');
  await Promise.all(clients);
  expect(await service.http.exited).toBe(0);
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
