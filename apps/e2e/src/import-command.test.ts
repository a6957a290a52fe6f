import { beforeEach, expect, test } from 'vitest';
import type { PluginConfigClient } from '@plugin-config/client';
import { administrator } from './testing/administrator.ts';
import { losingProxy } from './testing/losing-proxy.ts';
import { registerPlugin } from './testing/register-plugin.ts';
import { runCommand } from './testing/run-command.ts';
import { sharedService } from './testing/shared-service.ts';

const running = sharedService();
const CANARY = 'canary-4711';
const PLUGIN = {
  id: 3,
  name: 'GeoIP',
  config_schema: [
    { key: 'database', type: 'choice', choices: ['country', 'city'], default: 'country' },
    { key: 'token', type: 'string', secret: true, required: true },
  ],
} as const;
const GEOIP = { key: 'geoip', plugin: 3, enabled: true, config: { database: 'city', token: CANARY } };
const OTHER = { key: 'other', plugin: 3, name: 'Other' };

beforeEach(async () => registerPlugin(running(), PLUGIN));

let tests = 0;
/** Makes external ids that no other test has. */
const idsOfTest = () => {
  const prefix = `import-${process.pid}-${++tests}`;
  return (name: string) => `${prefix}-${name}`;
};

async function importText(input: string, env: NodeJS.ProcessEnv = {}) {
  const [url, key] = [await running().http.url(), await running().issueKey(['*'])];
  return runCommand(['import', '-', ...(env['JSON'] ? ['--json'] : [])], {
    env: { API_URL: url, API_KEY: key, ...env },
    input,
  });
}

const fileOf = (...tenants: readonly unknown[]) =>
  tenants.map((tenant) => (typeof tenant === 'string' ? tenant : JSON.stringify(tenant))).join('\n');

async function recordsOf(api: PluginConfigClient, externalId: string) {
  const { results } = await api.project(`ext:${externalId}`).pluginConfigs.list().page();
  return results.map(({ name, plugin, enabled, order, config }) => ({
    name,
    plugin,
    enabled,
    order,
    config,
  }));
}

test('tenants are imported with their secrets, and a table says what happened to each line', async () => {
  const id = idsOfTest();
  const api = await administrator(running());
  const acme = { external_id: id('acme'), name: 'Acme', plugin_configs: [GEOIP, OTHER] };
  const bare = { external_id: id('bare'), plugin_configs: [], pipeline_transformation_configs: [] };
  const input = fileOf(
    acme,
    { external_id: id('wrong'), name: 'Wrong', plugin_configs: [{ ...GEOIP, config: {} }, OTHER] },
    `{"external_id": "${id('cut')}", "plugin_configs": [{"config": {"token": "${CANARY}`,
    { ...acme, name: 'Twice' },
    { external_id: id('empty'), name: 'Empty', pipeline_transformation_configs: [{ ...OTHER }] },
    bare,
  );
  const first = await importText(input);
  expect(first).toMatchObject({ code: 1, stderr: '' });
  expect(first.stdout.trimEnd().split('\n')).toEqual([
    'IMPORTED  CREATED  CHANGED  UNCHANGED  REJECTED',
    'tenants   3        0        0          3',
    'records   3        0        0          4',
    '',
    expect.stringMatching(/^LINE {2}EXTERNAL ID +REASON$/),
    expect.stringMatching(new RegExp(`^2 +${id('wrong')} +plugin_configs\\[0\\]\\.config\\.token: `)),
    '3     -' +
      ' '.repeat(id('wrong').length - 1) +
      '  The line is not JSON in UTF-8, or one of its objects has the same key twice.',
    expect.stringMatching(new RegExp(`^4 +${id('acme')} +external_id: Line 1 is about the same tenant\\.$`)),
  ]);
  expect(await recordsOf(api, id('acme'))).toEqual([
    { name: null, plugin: 3, enabled: true, order: 1, config: '{"database":"city","token":"********"}' },
    { name: 'Other', plugin: 3, enabled: false, order: 2, config: '{"database":"country"}' },
  ]);
  expect(await recordsOf(api, id('wrong'))).toEqual([]);
  const { id: projectId } = await api.project(`ext:${id('acme')}`).retrieve();
  const key = await running().issueKey(['plugin_runtime'], [projectId]);
  const runtime = await fetch(`${await running().http.url()}/api/projects/@current/plugin_configs/runtime`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(await runtime.json()).toMatchObject({ results: [{ config: { token: CANARY } }] });

  const again = await importText(fileOf(acme, { external_id: id('empty'), name: 'Renamed' }, bare), {
    JSON: 'yes',
  });
  expect(again).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(again.stdout)).toEqual({
    tenants: { created: 0, changed: 1, unchanged: 2, rejected: 0 },
    records: { created: 0, changed: 0, unchanged: 2, rejected: 0 },
    rejected: [],
  });
  const fewer = await importText(fileOf({ ...acme, plugin_configs: [{ ...OTHER, description: 'Changed' }] }));
  expect(fewer.stdout).toContain('records   0        1        0          0');
  expect((await recordsOf(api, id('acme'))).map(({ name }) => name)).toEqual([null, 'Other']);
  expect(`${first.stdout}${again.stdout}${fewer.stdout}`).not.toContain(CANARY);
  expect(`${running().http.stdout()}${running().http.stderr()}`).not.toContain(CANARY);
});

test('lost responses do not stop an import, and nothing is there twice', { tags: ['long'] }, async () => {
  const id = idsOfTest();
  const api = await administrator(running());
  await using proxy = await losingProxy(await running().http.url(), 10);
  const tenants = Array.from({ length: 10 }, (_, n) => ({
    external_id: id(`t${n}`),
    name: `Tenant ${n}`,
    plugin_configs: [GEOIP, OTHER],
  }));
  const { code, stdout, stderr } = await importText(fileOf(...tenants), { API_URL: proxy.url });
  expect({ code, lost: proxy.lost() }).toEqual({ code: 0, lost: 10 });
  expect(stdout).toContain('tenants   10       0        0          0');
  expect(stderr).toContain(`Waiting for ${proxy.url}: `);
  for (const { external_id } of tenants) expect(await recordsOf(api, external_id)).toHaveLength(2);
});

test('a key that may not create projects stops the import', { tags: ['long'] }, async () => {
  const id = idsOfTest();
  const key = await running().issueKey(['plugin:write']);
  const { code, stderr } = await importText(fileOf({ external_id: id('a') }), { API_KEY: key });
  expect(code).toBe(1);
  expect(stderr).toBe("Line 1: API key missing required scope 'project:write'\n");
});

test('a file that does not exist is one line', { tags: ['long'] }, async () => {
  const env = { API_URL: await running().http.url(), API_KEY: 'phx_a' };
  const { code, stderr } = await runCommand(['import', '/nowhere.ndjson'], { env });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^[^\n]*no such file[^\n]*\n$/);
});
