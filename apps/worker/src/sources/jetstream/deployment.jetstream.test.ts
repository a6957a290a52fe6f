/** @module-tag long */

import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { programPath } from '../../../../../tools/programs.ts';

const DEPLOY = new URL('../../../../../deploy/', import.meta.url);
const read = (path: string): Promise<string> => readFile(new URL(path, DEPLOY), 'utf8');

async function fromManifest(): Promise<string> {
  const [config] = parseAllDocuments(await read('kubernetes/components/nats/nats.yaml'));
  return String(config?.getIn(['data', 'nats.conf']));
}

test.for([
  ['compose', async (): Promise<string> => read('compose/nats.conf')],
  ['Kubernetes', fromManifest],
] as const)('NATS accepts its configuration for %s, but only with a password', async ([, textOf]) => {
  const folder = await mkdtemp(join(tmpdir(), 'plugin-config-nats-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'nats.conf');
  await writeFile(file, await textOf());
  const check = (env: NodeJS.ProcessEnv) =>
    spawnSync(programPath('nats-server'), ['--config', file, '-t'], { env, encoding: 'utf8' });
  expect(check({ POD_NAME: 'nats-0', NATS_PASSWORD: 'password' })).toMatchObject({ status: 0 });
  expect(check({ POD_NAME: 'nats-0' }).stderr).toContain('NATS_PASSWORD');
});
