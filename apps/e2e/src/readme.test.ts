import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { guideCode } from './testing/guide-code.ts';
import { sharedService } from './testing/shared-service.ts';

const README = '../README.md';
const run = promisify(execFile);
const running = sharedService();

test(
  'the first plugin of the README runs, and greets again after a change',
  { timeout: 120_000 },
  async () => {
    const { api, projectId, pluginConfigs } = await running().tenant();
    const env = { ...process.env, API: `${api}/api`, KEY: await running().issueKey(['*']) };
    const inProject = (code: string): string => code.replaceAll('projects/1/', `projects/${projectId}/`);
    const [, ...commands] = (await guideCode(README, 'sh', 'slug:greeter')).split('\n');
    await run('sh', ['-ec', inProject(commands.join('\n'))], { env });

    const program = inProject(await guideCode(README, 'js', 'runtime?wait'));
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { env });
    const ended = once(child, 'exit');
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
    try {
      await expect.poll(() => output, { timeout: 60_000 }).toBe('Hello, world! The token has 6 letters.\n');
      const [record] = (await pluginConfigs.list().page()).results;
      await pluginConfigs.patchConfiguration(record?.id ?? 0, { who: 'moon' });
      await expect
        .poll(() => output, { timeout: 60_000 })
        .toContain('\nHello, moon! The token has 6 letters.\n');
      await expect
        .poll(async () => (await pluginConfigs.runtimes().page()).results, { timeout: 60_000 })
        // Hosts of all projects, which other tests start, are among them.
        .toContainEqual(expect.objectContaining({ instance: 'greeter', current: true, online: true }));
    } finally {
      child.kill();
      await ended;
    }
  },
);
