import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Database {
  readonly url: string;
  readonly secretsKeys: string | undefined;
}

/** The operator's own database, else the embedded one that runs in the data directory. */
export async function findDatabase(env: NodeJS.ProcessEnv): Promise<Database> {
  const { DATABASE_URL: url, SECRETS_KEYS: secretsKeys } = env;
  if (url) return { url: checked(url), secretsKeys: secretsKeys || undefined };
  const dataDir = env['DATA_DIR'] || '.data';
  const embedded = await content(join(dataDir, 'database-url'));
  if (embedded === undefined) throw new Error('No database: set DATABASE_URL, or start one with npm start.');
  return { url: embedded, secretsKeys: secretsKeys || (await content(join(dataDir, 'secrets-keys'))) };
}

function checked(url: string): string {
  if (/^postgres(ql)?:\/\//.test(url) && URL.canParse(url)) return url;
  throw new Error('DATABASE_URL takes an address such as postgres://user:password@host:5432/database.');
}

/** Undefined where there is no such file. */
async function content(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim() || undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
