import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { guideCode } from './testing/guide-code.ts';
import { PYTHON } from './testing/python.ts';
import { sharedService } from './testing/shared-service.ts';

const run = promisify(execFile);
const running = sharedService();

test('the calls of the Python page print what it says', { timeout: 60_000 }, async () => {
  const { api, token, pluginConfigs } = await running().tenant();
  const env = { API: `${api}/api/projects/@current`, KEY: token };
  const program = await guideCode('python.md', 'python', 'def call');
  const { stdout } = await run(PYTHON, ['-c', program], { env });
  expect(stdout).toBe(await guideCode('python.md', 'text', '412'));
  expect((await pluginConfigs.list().page()).count).toBe(0);
});
