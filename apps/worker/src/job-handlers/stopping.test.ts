import { aRecord } from '@plugin-config/testing';
import { expect } from 'vitest';
import { IDLE_HANDLERS } from '../testing/idle-handlers.ts';
import { queued, taskOf } from '../testing/jobs.ts';
import { test } from '../testing/worker.fixture.ts';

test('a stopping worker releases its jobs, and the next worker runs them immediately', async ({ bed }) => {
  const { record } = bed;
  const other = await aRecord(bed.ports, bed.family);
  using first = await bed.serve({}, IDLE_HANDLERS);
  const stuck = await queued(bed, record, taskOf('never'));
  const slow = await queued(bed, other, taskOf('slow', 3000));
  await expect
    .poll(async () => [(await slow())?.state, (await stuck())?.state])
    .toEqual(['running', 'running']);
  const since = performance.now();
  await first.stop();
  expect(performance.now() - since).toBeLessThan(8_000);
  expect(await slow()).toMatchObject({ state: 'succeeded', attempts: 1 });
  expect(await stuck()).toMatchObject({
    state: 'queued',
    attempts: 0,
    error: 'The worker is shutting down.',
  });
  using _next = await bed.serve({}, IDLE_HANDLERS);
  await expect.poll(stuck).toMatchObject({ state: 'running', attempts: 1 });
});
