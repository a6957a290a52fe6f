import { claimJobs } from '@plugin-config/domain';
import { structuredLogger } from '@plugin-config/server';
import { expect } from 'vitest';
import { PLUGIN, test } from './plugin-job.fixture.ts';
import { waitingClaims } from './waiting-claims.ts';

test('a claim whose time is over while it takes a job returns the job', async ({ service, plugin }) => {
  const id = await plugin.queue({ type: 'export' });
  const { key } = await service.issueKey();
  const { ports } = service;
  const claims = waitingClaims({ ...ports, logger: structuredLogger('http', 'silent', process.stderr) });
  const ending = new AbortController();
  const waiter = {
    filter: { family: 'plugin_configs', plugins: [PLUGIN], types: [], key } as const,
    limit: 1,
    claim: async (lanes: Parameters<typeof claimJobs>[1]['lanes']) => {
      ending.abort();
      return claimJobs(ports, { keyId: key.id, instance: 'a', lanes, limit: 1, leaseSeconds: 60 });
    },
  };
  expect(await claims.wait(waiter, ending.signal)).toMatchObject([{ job: { id } }]);
});
