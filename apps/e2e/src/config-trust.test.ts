/** @module-tag long */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pluginConfigClient } from '@plugin-config/client';
import { startIssuer } from '@plugin-config/server/testing';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from './testing/run-command.ts';
import { runService } from './testing/running-service.ts';
import { startActions } from './testing/start-actions.ts';

test('a pipeline plans and applies without a stored key', async () => {
  await using service = await runService({ OIDC_ALLOW_ADDRESSES: '127.0.0.1' });
  const issuer = await startIssuer();
  onTestFinished(() => issuer.close());
  const folder = await mkdtemp(join(tmpdir(), 'config-trust-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { api, projectId } = await service.tenant();
  const admin = pluginConfigClient({ url: api, key: await service.issueKey(['*']) });
  const trust = (environment: string, scope: 'plugin:read' | 'plugin:write') =>
    admin.trusts.create({
      name: `${environment} of shop`,
      issuer: issuer.url,
      audience: api,
      claims: { repository_id: ['123456789'], environment: [environment] },
      scopes: [scope],
      project_ids: [projectId],
      max_minutes: 5,
    });
  const { id: applying } = await trust('production', 'plugin:write');
  const { id: planning } = await trust('review', 'plugin:read');
  const file = join(folder, 'config.yaml');
  await writeFile(
    file,
    'format: 1\nmanager: shop\nplugin_configs:\n  - { key: geoip, plugin: 3, name: GeoIP }\n',
  );

  const config = (args: readonly string[], env: Readonly<Record<string, string>>) =>
    runCommand(['config', ...args], { env: { API_URL: api, ...env } });
  const onProject = [file, '--project', String(projectId)];
  const applies = ['apply', ...onProject, '--yes', '--max-deletes', '0'];
  const gitLab = async (environment: string) => ({ ID_TOKEN: await issuer.sign({ aud: api, environment }) });

  const planned = await config(['plan', ...onProject], {
    API_TRUST: String(planning),
    ...(await gitLab('review')),
  });
  expect(planned).toMatchObject({ code: 0, stdout: expect.stringContaining('geoip') });
  const rejected = await config(applies, { API_TRUST: String(planning), ...(await gitLab('review')) });
  expect(rejected).toMatchObject({ code: 1, stderr: expect.stringContaining('plugin:write') });

  const actions = await startActions(issuer);
  const applied = await config([...applies, '--trust', String(applying)], { ...actions, API_KEY: 'unused' });
  expect(applied).toMatchObject({ code: 0 });
  const other = await config([...applies, '--trust', String(applying), '--audience', 'other'], actions);
  expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('audience (aud)') });
  const none = await config(applies, { API_TRUST: String(applying), GITHUB_ACTIONS: 'true' });
  expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('id-token: write') });

  const token = join(folder, 'token');
  await writeFile(token, `${await issuer.sign({ aud: api })}\n`);
  const again = [...applies, '--trust', String(applying), '--id-token-file', token];
  expect(await config(again, {})).toMatchObject({ code: 0 });
  expect(await config(again, {})).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('exchanged before'),
  });

  const { results } = await admin.project(projectId).pluginConfigs.familyActivity().page();
  const actor = {
    key_id: null,
    label: 'production of shop',
    subject: { id: 'repo:acme/shop:environment:production' },
  };
  expect(results.map((entry) => [entry.activity, entry.actor])).toEqual([['created', actor]]);
}, 60_000);
