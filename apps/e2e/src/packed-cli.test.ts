/** @module-tag long */

import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TEST_SECRETS_KEYS } from '@plugin-config/persistence/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { presentNodes } from '../../../tools/present-nodes.ts';
import { installPacked } from './testing/install-packed.ts';
import { sharedService } from './testing/shared-service.ts';

const run = promisify(execFile);
const running = sharedService();
let project: Awaited<ReturnType<typeof installPacked>>;

beforeAll(async () => {
  project = await installPacked('apps/cli');
});
afterAll(() => project[Symbol.asyncDispose]());

test.for([...presentNodes()])(
  'the packed command issues keys, imports tenants and applies documents in an empty project, on Node %s',
  async ([version, node]) => {
    const { api, projectId, pluginConfigs } = await running().tenant();
    const env = {
      DATABASE_URL: running().databaseUrl,
      SECRETS_KEYS: TEST_SECRETS_KEYS,
      API_URL: api,
      API_KEY: await running().issueKey(['*']),
    };
    const command = join(project.folder, 'node_modules/@plugin-config/cli/lib/plugin-config.js');
    const cli = async (...args: readonly string[]): Promise<string> =>
      (await run(node, [command, ...args], { cwd: project.folder, env })).stdout;

    const at = ['--project', String(projectId)];
    expect(await cli('key', 'create', '--label', version, '--scope', 'plugin:read', ...at)).toMatch(/^phx_/);
    await writeFile(
      join(project.folder, 'config.yaml'),
      'format: 1\nmanager: team\nplugin_configs: [{ key: geoip, plugin: 7, name: GeoIP }]\n',
    );
    await cli('config', 'plan', 'config.yaml', ...at, '-o', 'plan.json');
    await cli('config', 'apply', 'plan.json');
    expect((await pluginConfigs.list().page()).results).toMatchObject([{ plugin: 7, name: 'GeoIP' }]);
    const tenant = { external_id: `packed-${version}`, name: 'Packed', plugin_configs: [] };
    await writeFile(join(project.folder, 'tenants.ndjson'), JSON.stringify(tenant));
    expect(await cli('import', 'tenants.ndjson')).toMatch(/^tenants +1 /m);
    expect(await cli('key', 'create', '--help')).toContain('plugin-config key create --label');
  },
);
