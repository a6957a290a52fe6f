import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { structuredLogger } from '@plugin-config/server';
import { onTestFinished } from 'vitest';
import { readEnv } from '../env.ts';
import { importLines } from '../import/import-lines.ts';
import type { Bed } from './bed.ts';

/** Writes a file that lasts as long as the test. Resolves to its path. */
export async function aFile(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'plugin-config-import-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'entries.ndjson');
  await writeFile(path, text);
  return path;
}

export interface ImportResult {
  /** True if all lines were stored. */
  readonly isWhole: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** Imports a file in the process of the test. */
export async function importFile(
  { databaseUrl }: Pick<Bed, 'databaseUrl'>,
  path: string,
  env: NodeJS.ProcessEnv = {},
): Promise<ImportResult> {
  let [stdout, stderr] = ['', ''];
  const output = { write: (text: string) => (stdout += text) };
  const terminal = { write: (text: string) => (stderr += text) };
  const isWhole = await importLines(readEnv({ DATABASE_URL: databaseUrl, ...env }), path, {
    output,
    terminal,
    stopped: new Promise(() => undefined),
    log: ({ service, level }) => ({
      logger: structuredLogger(service, level, { write: (line) => void terminal.write(line) }),
      flush: () => undefined,
    }),
  });
  return { isWhole, stdout, stderr };
}
