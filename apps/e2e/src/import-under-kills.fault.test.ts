/** @module-tag long */

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { propertyRuns, propertyTimeout } from '../../../tools/property-runs.ts';
import { administrator } from './testing/administrator.ts';
import { killAndRestart } from './testing/kills.ts';
import { registerPlugin } from './testing/register-plugin.ts';
import { runCommand } from './testing/run-command.ts';
import { serviceOfFile } from './testing/running-service.ts';

const TENANTS = 300;
const RECORDS = 5;
/** The command, and every other time the service. */
const KILLS = propertyRuns(5);
const LONGEST_RUN_MS = 2_500;
const STARTING_MS = 500;
const TIMEOUT_MS = propertyTimeout(240_000);

const running = serviceOfFile();

const recordsAt = (tenant: number, step: number) =>
  Array.from({ length: RECORDS }, (_, n) => ({
    key: `k${n}`,
    plugin: 3,
    enabled: (tenant + n + step) % 2 === 0,
    name: `${step} of ${tenant}`,
    config: { step, tenant, token: `secret ${tenant} ${n} ${step}` },
  }));

const fileAt = (step: number): string =>
  Array.from({ length: TENANTS }, (_, tenant) =>
    JSON.stringify({
      external_id: `team-${tenant}`,
      name: `Team ${tenant}, ${step}`,
      plugin_configs: recordsAt(tenant, step),
    }),
  ).join('\n');

interface Found {
  readonly external_id: string;
  readonly name: string;
  readonly records: readonly { readonly name: string; readonly enabled: boolean; readonly created: number }[];
}

test(
  'an import that is killed at any point and run again leaves exactly what the file says',
  async () => {
    const service = running();
    await registerPlugin(service, {
      id: 3,
      name: 'GeoIP',
      config_schema: [
        { key: 'step', type: 'number' },
        { key: 'tenant', type: 'number' },
        { key: 'token', type: 'string', secret: true },
      ],
    });
    const env = { API_URL: await service.http.url(), API_KEY: await service.issueKey(['*']) };
    const command = (step: number, killWhen?: () => Promise<boolean>) =>
      runCommand(['import', '-'], { env, input: fileAt(step), ...(killWhen && { killWhen }) });
    for (const step of [1, 2]) {
      for (let kill = 0; kill < KILLS; kill++) {
        const at = STARTING_MS + Math.random() * LONGEST_RUN_MS;
        const killed = command(step, async () => sleep(at, true));
        if (kill % 2 === 1) {
          await sleep(at * Math.random());
          await killAndRestart(service, 'http');
        }
        await killed;
      }
      const { code, stdout, stderr } = await command(step);
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^records .* 0$/m) });
      expect(stderr).toMatch(/^(?:Tenants: .* …\n)*$/);
      await expectExactly(step);
      const again = await command(step);
      expect(again.stdout).toMatch(
        new RegExp(`^tenants +0 +0 +${TENANTS} +0\nrecords +0 +0 +${TENANTS * RECORDS} +0$`, 'm'),
      );
    }
  },
  TIMEOUT_MS,
);

async function expectExactly(step: number): Promise<void> {
  const found = await running().rows<Found>(
    `select p.external_id, p.name, (
      select json_agg(json_build_object('name', r.name, 'enabled', r.enabled, 'created', (
        select count(*) from activity a where a.record_id = r.id and a.activity = 'created'
      )) order by r.position)
      from config_record r where r.project_id = p.id
    ) as records
    from project p where p.external_id is not null order by p.id`,
  );
  const expected = Array.from({ length: TENANTS }, (_, tenant): Found => ({
    external_id: `team-${tenant}`,
    name: `Team ${tenant}, ${step}`,
    records: recordsAt(tenant, step).map(({ name, enabled }) => ({ name, enabled, created: 1 })),
  }));
  const sorted = found.toSorted((a, b) => Number(a.external_id.slice(5)) - Number(b.external_id.slice(5)));
  expect(sorted).toEqual(expected);
  const api = await administrator(running());
  const key = await running().issueKey(['plugin_runtime']);
  for (const tenant of [0, TENANTS - 1]) {
    const { id } = await api.project(`ext:team-${tenant}`).retrieve();
    const runtime = await fetch(`${await running().http.url()}/api/projects/${id}/plugin_configs/runtime`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const enabled = recordsAt(tenant, step).filter((record) => record.enabled);
    expect(await runtime.json()).toMatchObject({ results: enabled.map(({ config }) => ({ config })) });
  }
}
