import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TEST_SECRETS_KEYS } from '@plugin-config/persistence/testing';
import { memoryLog } from '@plugin-config/server/testing';
import { onTestFinished } from 'vitest';
import { readEnv } from '../env.ts';
import { importLines } from '../import/import-lines.ts';
import type { TestBed } from './test-bed.ts';

/** Writes a file that is deleted after the test. Resolves to its path. */
export async function aFile(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'plugin-config-import-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'entries.ndjson');
  await writeFile(path, text);
  return path;
}

export interface ImportResult {
  /** True if all lines were stored. */
  readonly isComplete: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** Imports a file in the process of the test. */
export async function importFile(
  { databaseUrl }: Pick<TestBed, 'databaseUrl'>,
  path: string,
  env: NodeJS.ProcessEnv = {},
): Promise<ImportResult> {
  let [stdout, stderr] = ['', ''];
  const log = memoryLog();
  const settings = readEnv({ DATABASE_URL: databaseUrl, SECRETS_KEYS: TEST_SECRETS_KEYS, ...env });
  const isComplete = await importLines(settings, path, {
    output: { write: (text) => (stdout += text) },
    terminal: { write: (text) => (stderr += text) },
    stopped: new Promise(() => undefined),
    log: log.open,
  });
  return { isComplete, stdout, stderr: log.text() + stderr };
}
