import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { secretValues } from './secret-values.ts';

const DOCUMENT = {
  format: 1,
  manager: 'team',
  plugin_configs: [{ key: 'a', plugin: 3, config: { token: { $secret: 'TOKEN' }, plain: 'PLAIN' } }],
  pipeline_transformation_configs: [{ key: 'b', plugin: 4, config: { key: { $secret: 'API_KEY' } } }],
} as const;

async function secretsFile(text: string, mode = 0o600): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'secrets-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'secrets.yaml');
  await writeFile(file, text);
  await chmod(file, mode);
  return file;
}

test('a document gets only the secrets that it refers to', async () => {
  const env = { CONFIG_SECRET_TOKEN: 'one', CONFIG_SECRET_OTHER: 'two', API_KEY: 'mine', PLAIN: 'three' };
  expect(await secretValues(DOCUMENT, undefined, env)).toEqual({ TOKEN: 'one' });
});

test('a file takes precedence over the environment', async () => {
  const file = await secretsFile('TOKEN: from-file\nUNUSED: x\n');
  const env = { CONFIG_SECRET_TOKEN: 'one', CONFIG_SECRET_API_KEY: 'key' };
  expect(await secretValues(DOCUMENT, file, env)).toEqual({ TOKEN: 'from-file', API_KEY: 'key' });
});

test('rejects a file that others can read', async () => {
  const file = await secretsFile('TOKEN: from-file\n', 0o640);
  await expect(secretValues(DOCUMENT, file, {})).rejects.toThrow(`run chmod 600 ${file} first`);
});

test.for(['TOKEN: [canary', '- canary', 'TOKEN: { a: canary }', 'TOKEN: canary\nTOKEN: canary\n'])(
  'the error about an invalid file of secrets shows none of them: %j',
  async (text) => {
    const failure = secretValues(DOCUMENT, await secretsFile(text), {});
    await expect(failure).rejects.toThrow(/must map secret names to strings/);
    await expect(failure).rejects.not.toThrow(/canary/);
  },
);
