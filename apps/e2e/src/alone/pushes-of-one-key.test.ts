import { expect, test } from 'vitest';
import { neighbour } from '../testing/neighbour.ts';
import { runService } from '../testing/running-service.ts';

const PUSHES = 400;
const LINES = 500;
/** Repeats refused pushes, as senders do after Retry-After. */
const PAUSE_MS = 1000;

test('however many pushes of one key wait, a neighbour waits for about one batch', async () => {
  await using service = await runService();
  const [one, other] = [await service.tenant(), await service.tenant()];
  const id = await one.attach();
  const beside = await neighbour(other);
  const lines = Array.from({ length: LINES }, (_, i) =>
    JSON.stringify({ plugin_config_id: id, message: `line ${i}` }),
  );
  const body = [lines.join('\n')];
  const pushed = await Promise.all(Array.from({ length: PUSHES }, () => pushAtLast(() => one.push(body))));
  await beside.expectUnharmed();
  expect(pushed.reduce((sum, stored) => sum + stored, 0)).toBe(PUSHES * LINES);
});

async function pushAtLast(
  push: () => Promise<{ readonly status: number; readonly body: { readonly stored: number } }>,
): Promise<number> {
  for (;;) {
    const { status, body } = await push();
    if (status === 200) return body.stored;
    expect([429, 503]).toContain(status);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
