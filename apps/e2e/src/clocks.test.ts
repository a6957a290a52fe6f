/** @module-tag long */

import { DAY_MS } from '@plugin-config/domain';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { retryingProject } from './testing/retrying-project.ts';
import { serviceOfFile } from './testing/running-service.ts';
import { tenant } from './testing/tenant.ts';

const OTHER_CLOCK = fileURLToPath(new URL('../../worker/src/testing/other-clock.ts', import.meta.url));

/** The environment of a process that shifts its wall clock by this many days on SIGUSR2. */
const setLater = (days: number): NodeJS.ProcessEnv => ({
  NODE_OPTIONS: `--import=${OTHER_CLOCK}`,
  CLOCK_AHEAD_MS: String(days * DAY_MS),
  CLOCK_AHEAD_ON: 'SIGUSR2',
});

const running = serviceOfFile();

test.each([-40, 40])(
  'keys and times are unaffected when the clock of an HTTP app jumps by %i days',
  async (days) => {
    const service = running();
    const [sound, expired] = [await service.tenant(), await service.tenant()];
    const record = await sound.attach();
    await service.rows(
      `update api_key set expires_at = now() + case label when $1 then '1 day' else '-1 day' end::interval
      where label in ($1, $2)`,
      [sound, expired].map(({ projectId }) => `key of project ${projectId}`),
    );
    const app = service.run('http', setLater(days));
    const api = await app.url();
    const [mine, others] = [tenant({ ...sound, api }), tenant({ ...expired, api })];
    app.child.kill('SIGUSR2');
    await expect.poll(async () => (await fetch(`${api}/readyz`)).status).toBe(503);
    const { pluginConfigs } = retryingProject(mine);
    expect(await pluginConfigs.update(record, () => ({ name: 'Changed' }))).toMatchObject({
      name: 'Changed',
    });
    await expect(others.pluginConfigs.list().page()).rejects.toMatchObject({ status: 401 });
    const wrong = await service.rows(
      `select updated_at from config_record where abs(extract(epoch from updated_at - now())) > 60`,
    );
    expect(wrong).toEqual([]);
  },
);
