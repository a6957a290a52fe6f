import { DAY_MS } from '@plugin-config/domain';
import { CannotStart } from '@plugin-config/server';
import { until } from '@plugin-config/server/testing';
import { expect, onTestFinished, vi } from 'vitest';
import { push } from '../testing/test-bed.ts';
import { anEntry, ndjson } from '../testing/entries.ts';
import { otherClock } from '../testing/other-clock.ts';
import { test } from '../testing/worker.fixture.ts';

const AHEAD_MS = 40 * DAY_MS;
const entryAt = (recordId: number, time: number) =>
  anEntry(recordId, { timestamp: new Date(time).toISOString() });

test('does not start if its clock differs from the clock of the database, and prints both times', async ({
  bed,
}) => {
  onTestFinished(() => void vi.useRealTimers());
  for (const aheadMs of [AHEAD_MS, -45_000]) {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + aheadMs });
    const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;
    await expect(bed.serve()).rejects.toMatchObject({
      name: CannotStart.name,
      message: expect.stringMatching(
        new RegExp(
          `^This host's clock says ${time}, the database's says ${time}: synchronise them to[^\n]+$`,
        ),
      ),
    });
    vi.useRealTimers();
  }
});

test('a clock that jumps ahead later fails the readiness check, but no days are dropped and no messages rejected', async ({
  bed,
}) => {
  const running = bed.run(otherClock({ aheadMs: AHEAD_MS, on: 'SIGUSR2' }));
  const url = await running.url();
  const days = [-6, -1, 0];
  const now = Date.now();
  const entries = days.map((n) => entryAt(bed.record.id, now + n * DAY_MS));
  expect((await push(url, ndjson(entries), { token: bed.token })).body).toMatchObject({ stored: 3 });
  running.child.kill('SIGUSR2');
  await until(async () => (await fetch(`${url}/readyz`)).status === 503);
  expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({
    detail: expect.stringContaining("This host's clock says"),
  });
  const today = [entryAt(bed.record.id, now + 1), { plugin_config_id: bed.record.id, message: 'no time' }];
  let response = await push(url, ndjson(today), { token: bed.token });
  await until(async () => {
    if (response.status !== 200) response = await push(url, ndjson(today), { token: bed.token });
    return response.status === 200;
  });
  expect(response.body).toEqual({ stored: 2, duplicates: 0, dead: 0 });
  const stored = await bed.rows<{ day: string }>(
    'select distinct timestamp::date::text as day from log_entry where record_id = $1 order by day',
    [bed.record.id],
  );
  expect(stored.map(({ day }) => day)).toEqual(
    days.map((n) => new Date(now + n * DAY_MS).toISOString().slice(0, 10)),
  );
  running.child.kill('SIGKILL');
  await running.exited;
});
