/** @module-tag long */

import { expect, test } from 'vitest';
import { flood } from '../testing/flood.ts';
import { keepCalling } from '../testing/keep-calling.ts';
import { registerPlugin } from '../testing/register-plugin.ts';
import { serviceOfFile } from '../testing/running-service.ts';
import type { Tenant } from '../testing/tenant.ts';

/** Each call succeeds, conflicts or is deferred. */
const FLOOD = { callers: 20, allowed: [200, 412, 429, 503] };
const RECORDS = 1_000;
/** The maximum number of secrets in a schema. */
const SECRETS = 500;
const VAULT = {
  id: 77,
  name: 'Vault',
  config_schema: Array.from({ length: SECRETS }, (_, n) => ({
    key: `secret_${n}`,
    type: 'string' as const,
    secret: true,
  })),
};

const running = serviceOfFile();

test('endless plans, applies and reads of documents with new managers and keys do not slow down neighbours', async () => {
  const tenant = await running().tenant();
  const statuses = await flood(running(), FLOOD, async (n) => {
    const manager = `manager-${n}`;
    const document = {
      format: 1,
      manager,
      plugin_configs: Array.from({ length: RECORDS }, (_, i) => ({ key: `key-${n}-${i}`, plugin: 7 })),
    };
    if (n % 4 === 0)
      return apply(tenant, { ...document, plugin_configs: document.plugin_configs.slice(0, 5) });
    if (n % 4 === 1) return tenant.call('GET', `/configuration/drift?manager=${manager}`);
    if (n % 4 === 2) return tenant.call('GET', `/configuration/records?manager=${manager}`);
    return tenant.call('POST', '/configuration/plan', { document });
  });
  expect(statuses.get(200)).toBeGreaterThan(1);
});

test('documents with the maximum number of secrets do not slow down neighbours', async () => {
  await registerPlugin(running(), VAULT);
  const tenant = await running().tenant();
  const names = VAULT.config_schema.map(({ key }) => key);
  const config = Object.fromEntries(names.map((name) => [name, { $secret: name.toUpperCase() }]));
  const secrets = Object.fromEntries(names.map((name) => [name.toUpperCase(), `value of ${name}`]));
  const document = {
    format: 1,
    manager: 'team',
    plugin_configs: Array.from({ length: 20 }, (_, i) => ({ key: `key-${i}`, plugin: VAULT.id, config })),
  };
  await apply(tenant, document, secrets);
  const statuses = await flood(running(), FLOOD, (n) =>
    n % 5 === 0
      ? apply(tenant, document, { ...secrets, SECRET_0: `value ${n}` })
      : tenant.call('POST', '/configuration/plan', { document, secrets }),
  );
  expect(statuses.get(200)).toBeGreaterThan(1);
});

test('two accounts that plan large documents do not delay or reject the plans of a neighbour', async () => {
  const { tenant } = running();
  const config = Object.fromEntries(Array.from({ length: 28 }, (_, n) => [`an entry with number ${n}`, [n]]));
  const document = {
    format: 1,
    manager: 'team',
    plugin_configs: Array.from({ length: 1_000 }, (_, i) => ({ key: `key-${i}`, plugin: 7, config })),
  };
  const [one, two, other] = [await tenant(), await tenant(), await tenant()];
  const small = { format: 1, manager: 'team', plugin_configs: [{ key: 'a', plugin: 7 }] };
  let slowest = 0;
  const flooding = Promise.all(
    [one, two].map((each) =>
      keepCalling(4, async () => (await each.call('POST', '/configuration/plan', { document })).status),
    ),
  );
  const ended = new AbortController();
  void flooding.finally(() => ended.abort());
  while (!ended.signal.aborted) {
    const began = performance.now();
    expect((await other.call('POST', '/configuration/plan', { document: small })).status).toBe(200);
    slowest = Math.max(slowest, performance.now() - began);
  }
  for (const statuses of await flooding) expect(statuses.get(200)).toBeGreaterThan(1);
  expect(slowest).toBeLessThan(1000);
});

interface Planned {
  readonly base?: string;
}

async function apply(tenant: Tenant, document: object, secrets: object = {}) {
  const { status, body } = await tenant.call<Planned>('POST', '/configuration/plan', { document, secrets });
  if (status !== 200) return { status };
  const { base } = body;
  return tenant.call('POST', '/configuration/apply', { document, secrets, base });
}
