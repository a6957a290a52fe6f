import { nodeRandomness } from '@plugin-config/persistence';
import { until } from '@plugin-config/server/testing';
import { expect, test } from 'vitest';
import { gatedApp } from '../../testing/gated-app.ts';
import { ingestRoutes } from './ingest.routes.ts';
import type { PushSource, Sender } from './push-source.ts';

const PUSHES = 500;
/** The gate gives an account permits until only 100 are left. */
const OF_ACCOUNT = 400;

/** A server whose pushes stay in progress until `store` is called. */
async function startServer() {
  const { app, guard } = gatedApp(1024);
  const stored = Promise.withResolvers<void>();
  const pushes: number[] = [];
  const push = {
    push: async (_body: unknown, { tenant }: Sender) => {
      pushes.push(tenant);
      await stored.promise;
      return { stored: 1, duplicates: 0, dead: 0, deadLines: [] };
    },
  } as unknown as PushSource;
  ingestRoutes(app, { guard, push, randomness: nodeRandomness() });
  const send = async (account: number) => {
    const headers = { account: String(account), 'content-type': 'application/x-ndjson' };
    return (await app.inject({ method: 'POST', url: '/ingest', headers, payload: '{}' })).statusCode;
  };
  return { send, pushes, gate: app.gate.permitsFor('request'), store: stored.resolve };
}

test('pushes of one account never shut out another account', async () => {
  const { send, pushes, gate, store } = await startServer();
  const own = Array.from({ length: PUSHES }, () => send(1));
  await until(() => gate.waiting === PUSHES - OF_ACCOUNT);
  const other = send(2);
  await until(() => pushes.includes(2));
  expect(pushes).toHaveLength(OF_ACCOUNT + 1);
  store();
  expect(new Set(await Promise.all([...own, other]))).toEqual(new Set([200]));
});
