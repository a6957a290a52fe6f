import type { JsonObject } from '@plugin-config/client';
import { expect, test } from 'vitest';
import { administrator } from '../testing/administrator.ts';
import { configuredRecord } from '../testing/configured-record.ts';
import { expectAccessible, openRecord, openSignedIn, sharedBrowser } from '../testing/console-page.ts';
import { sharedService } from '../testing/shared-service.ts';

const service = sharedService();
const browser = sharedBrowser();

const PLUGIN = {
  id: 82,
  name: 'Proxy',
  config_schema: [
    {
      key: 'server',
      type: 'json',
      name: 'Server',
      required: true,
      hint: 'Where requests go.',
      schema: {
        type: 'object',
        required: ['hosts'],
        $defs: {
          host: {
            type: 'object',
            title: 'Host',
            required: ['name'],
            properties: {
              name: { type: 'string', title: 'Name', pattern: '^[a-z.]+$' },
              port: { type: 'integer', title: 'Port', default: 443 },
            },
          },
        },
        properties: {
          hosts: {
            type: 'array',
            title: 'Hosts',
            description: 'In the order of preference.',
            minItems: 1,
            maxItems: 2,
            items: { $ref: '#/$defs/host' },
          },
          auth: {
            title: 'Sign-in',
            oneOf: [
              { title: 'None', properties: { kind: { const: 'none', title: 'Kind' } } },
              {
                title: 'By token',
                properties: { kind: { const: 'token' }, token_from: { enum: ['header', 'query'] } },
              },
            ],
          },
          tags: { type: 'array', title: 'Tags', items: { type: 'string' } },
          labels: { type: 'object', title: 'Labels' },
        },
      },
    },
  ],
} as const;
const STORED = { server: { hosts: [{ name: 'a.example', port: 80 }], auth: { kind: 'none' }, weight: 0.1 } };

test('a nested configuration is edited in a form, with each error at its field', async () => {
  const { tenant, id } = await configuredRecord(service(), PLUGIN, STORED);
  const { page } = await openRecord(browser(), tenant, id, '/configuration');
  const form = page.getByRole('form', { name: 'Configuration' });
  const group = (name: string | RegExp) => form.getByRole('group', { name });
  const focused = async (): Promise<string> =>
    page.evaluate<string>(
      'document.activeElement.labels?.[0]?.innerText ?? document.activeElement.innerText',
    );

  await group('Host 1').waitFor();
  expect(await form.getByRole('button', { name: 'Remove Host 1' }).isDisabled()).toBe(true);
  await form.getByRole('button', { name: 'Add to Hosts' }).click();
  expect(await focused()).toContain('Name');
  await page.keyboard.type('B');
  expect(await group('Host 2').getByLabel('Port').inputValue()).toBe('443');
  expect(await form.getByRole('button', { name: 'Add to Hosts' }).isDisabled()).toBe(true);
  await group('Host 1').getByLabel('Port').fill('9007199254740993');
  await page.getByText('This number has too many digits').waitFor();
  await form.getByRole('button', { name: 'Save' }).click();
  expect(await focused()).toContain('Port');
  await group('Host 1').getByLabel('Port').fill('8080');
  await group('Sign-in').getByLabel('Kind').selectOption('By token');
  await group('Sign-in').getByLabel('token_from').selectOption('query');
  await form.getByRole('button', { name: 'Add to Tags' }).click();
  await page.keyboard.type('new');
  await form.getByLabel('Labels (JSON)').fill('{"team": 7}');

  await form.getByRole('button', { name: 'Save' }).click();
  await group('Host 2').getByText('This must match pattern').waitFor();
  expect(await focused()).toContain('Name');
  await expectAccessible(page);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('b.example');
  expect(await page.getByText('This must match pattern').count()).toBe(0);
  await page.keyboard.press('Enter');
  await page.getByText('All changes saved').waitFor();
  const server = {
    hosts: [
      { name: 'a.example', port: 8080 },
      { port: 443, name: 'b.example' },
    ],
    auth: { kind: 'token', token_from: 'query' },
    weight: 0.1,
    tags: ['new'],
    labels: { team: 7 },
  };
  expect(JSON.parse((await tenant.pluginConfigs.retrieve(id)).config)).toEqual({ server });

  await page.reload();
  expect(await group('Host 2').getByLabel('Name').inputValue()).toBe('b.example');
  await form.getByRole('button', { name: 'Remove Host 1' }).click();
  expect(await focused()).toContain('Add');
  await form.getByRole('button', { name: 'Edit as JSON' }).click();
  const text = form.getByLabel('Server (JSON)');
  expect(JSON.parse(await text.inputValue())).toEqual({ ...server, hosts: server.hosts.slice(1) });
  await text.fill('{');
  expect(await form.getByRole('button', { name: 'Edit in a form' }).isDisabled()).toBe(true);
  await text.fill('{"hosts": [{"name": "c"}]}');
  await form.getByRole('button', { name: 'Edit in a form' }).click();
  expect(await group('Host 1').getByLabel('Name').inputValue()).toBe('c');
  await form.getByRole('button', { name: 'Discard changes' }).click();
  expect(await group('Host 2').getByLabel('Name').inputValue()).toBe('b.example');
});

test('a form of thousands of values is opened part by part', { tags: ['long'] }, async () => {
  const times = <T>(count: number, make: (index: number) => T) =>
    Array.from({ length: count }, (_, i) => make(i));
  const wide = { properties: Object.fromEntries(times(1000, (i) => [`p${i}`, { type: 'string' }])) };
  const deep = times(60, (i) => `level ${60 - i}`).reduce<JsonObject>(
    (inner, key) => ({ properties: { [key]: inner } }),
    { type: 'string', title: 'Bottom' },
  );
  const schema = {
    $defs: { wide },
    properties: {
      deep,
      ...Object.fromEntries(times(8, (i) => [`wide ${i}`, { $ref: '#/$defs/wide' }])),
    },
  };
  const plugin = {
    id: 85,
    name: 'Huge',
    config_schema: [
      { key: 'all', type: 'json', schema },
      { key: 'numbers', type: 'json', schema: { type: 'array', items: { type: 'integer' } } },
    ],
  } as const;
  const numbers = times(4000, (i) => i);
  const { tenant, id } = await configuredRecord(service(), plugin, { numbers });
  const { page } = await openRecord(browser(), tenant, id, '/configuration');
  const form = page.getByRole('form', { name: 'Configuration' });
  const inputs = form.locator('input, textarea, select');
  const open = async (name: string) =>
    form.getByRole('button', { name: `Open ${name}`, exact: true }).click();
  await expect.poll(() => inputs.count()).toBe(50);
  await open('wide 7');
  await expect.poll(() => inputs.count()).toBe(100);
  await form.getByRole('button', { name: 'Close wide 7' }).click();
  await open('level 4');
  await form.getByRole('group', { name: 'level 7', exact: true }).waitFor();
  await form.getByRole('button', { name: 'Close level 4' }).click();
  await form.getByRole('button', { name: 'Show more of numbers' }).click();
  await form.getByText('100 of 4000').waitFor();
  expect(await inputs.count()).toBe(100);
  await expectAccessible(page);
  await form.getByLabel('numbers 100', { exact: true }).fill('-1.5');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('This must be integer.').waitFor();
  await form.getByLabel('numbers 100', { exact: true }).fill('-1');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('All changes saved').waitFor();
  expect(JSON.parse((await tenant.pluginConfigs.retrieve(id)).config)).toEqual({
    numbers: numbers.with(99, -1),
  });
});

test('a record has the form of its own version, or none if the key cannot read that version', async () => {
  const { plugins } = await administrator(service());
  const plugin = 84;
  await plugins.register(plugin, { name: 'Router' });
  const version = (number: number, key: string) => {
    const schema = { type: 'object', properties: { [key]: { type: 'string' } } };
    return {
      schema_version: number,
      config_schema: [{ key: 'server', type: 'json', schema }],
      jobs: [{ type: 'export', payload_schema: schema }],
      migrations: number === 1 ? [] : [{ from: 1, steps: [] }],
    } as const;
  };
  const tenant = await service().tenant();
  const attach = async (server: Record<string, string>) =>
    (await tenant.pluginConfigs.create({ plugin, config: { server } })).id;
  await plugins.registerVersion(plugin, '1.0.0', version(1, 'host'));
  const older = await attach({ host: 'a.example' });
  await plugins.registerVersion(plugin, '2.0.0', version(2, 'address'));
  await plugins.updateVersion(plugin, '2.0.0', { state: 'current' });
  const newer = await attach({ address: 'b.example' });

  const path = `/projects/${tenant.projectId}/plugin_configs`;
  const { page } = await openSignedIn(browser(), tenant, `${path}/${older}/configuration`);
  await expect.poll(async () => page.getByLabel('host').inputValue()).toBe('a.example');
  await page.goto(`${tenant.api}/console${path}/${older}/jobs?run=export`);
  await page.getByLabel('host').waitFor();

  const key = { api: tenant.api, token: await service().issueKey(['config:write'], [tenant.projectId]) };
  const { page: narrow } = await openSignedIn(browser(), key, `${path}/${newer}/configuration`);
  await expect.poll(async () => narrow.getByLabel('address').inputValue()).toBe('b.example');
  await narrow.goto(`${tenant.api}/console${path}/${older}/configuration`);
  await narrow.getByText('whose form is not available to you').waitFor();
  await narrow.getByLabel('server').fill('{"host": "c.example"}');
  await narrow.getByRole('form', { name: 'Configuration' }).getByRole('button', { name: 'Save' }).click();
  await narrow.getByText('Saved.').waitFor();
  expect(JSON.parse((await tenant.pluginConfigs.retrieve(older)).config)).toEqual({
    server: { host: 'c.example' },
  });
  await narrow.goto(`${tenant.api}/console${path}/${older}/jobs?run=export`);
  await narrow.getByText('whose form is not available to you').waitFor();
  await narrow.getByLabel('Payload (JSON)').waitFor();
  expect(await narrow.getByLabel('address').count()).toBe(0);
});
