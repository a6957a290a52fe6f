/** @module-tag long */

import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { generateSource } from 'oazapfts';
import { expect, test } from 'vitest';
import { runService } from '../testing/running-service.ts';

const PACKAGE = fileURLToPath(new URL('../../', import.meta.url));
/** Inside the package, so the generated code finds its runtime. */
const FOLDER = join(PACKAGE, '.reports/generated-client');
const TSC = join(PACKAGE, 'node_modules/typescript/bin/tsc');
const COMPILER = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    target: 'esnext',
    module: 'nodenext',
    types: ['node'],
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
  },
};
const run = promisify(execFile);

test('a client generated from the served document by a third-party tool compiles and works', async () => {
  await using service = await runService();
  const { api, ingestion, projectId, token } = await service.tenant();
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  const program = await readFile(new URL('./program.ts.txt', import.meta.url), 'utf8');
  await writeFile(join(FOLDER, 'tsconfig.json'), JSON.stringify(COMPILER));
  await writeFile(join(FOLDER, 'api.ts'), await generateSource(`${api}/api/schema`));
  await writeFile(join(FOLDER, 'program.ts'), program);
  expect(await compile()).toBe('');
  const env = { API_URL: api, WORKER_URL: ingestion, KEY: token, PROJECT: String(projectId) };
  const { stdout } = await run(process.execPath, [join(FOLDER, 'program.ts')], { env });
  expect(stdout).toBe('Both families match their types.\n');
});

/** Returns the errors of the compiler. */
async function compile(): Promise<string> {
  try {
    return (await run(process.execPath, [TSC, '-p', FOLDER])).stdout;
  } catch (error) {
    return (error as { readonly stdout: string }).stdout;
  }
}
