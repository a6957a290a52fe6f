/** @module-tag long */

import { expect, test } from 'vitest';
import { IDLE_HANDLERS_WORKER, runService } from './testing/running-service.ts';

/** The environment of a process whose wall clock is off by this many milliseconds. */
function shifted(milliseconds: number): NodeJS.ProcessEnv {
  const script = `const Real = Date;
    globalThis.Date = class extends Real {
      constructor(...given) { super(...(given.length === 0 ? [Date.now()] : given)); }
      static now() { return Real.now() + ${milliseconds}; }
    };`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
}

/** Nearly the maximum: an app does not start if its clock is off by more than half a minute. */
const WRONG_BY_MS = 25_000;

test('workers whose clocks are as far off as allowed do not steal jobs from each other', async () => {
  const jobs = 12;
  await using service = await runService(
    { ...shifted(-WRONG_BY_MS), JOB_TIMEOUT_MS: '10000' },
    { mains: { worker: IDLE_HANDLERS_WORKER } },
  );
  const tenant = await service.tenant();
  const others = [service.run('worker', shifted(WRONG_BY_MS)), service.run('worker', shifted(0))];
  await Promise.all(others.map((other) => other.url()));
  for (let i = 0; i < jobs; i++) {
    const job = { type: 'slow', payload: 1_500 };
    await tenant.pluginConfigs.queueJob(await tenant.attach(), { job });
  }
  const done = (): Promise<readonly object[]> =>
    service.rows('select state, attempts, claims, count(*)::integer as jobs from job group by 1, 2, 3');
  await expect.poll(done).toEqual([{ state: 'succeeded', attempts: 1, claims: 1, jobs }]);
});
