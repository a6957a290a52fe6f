import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RETENTION_DAYS_MAX, type LogQuota } from '@plugin-config/domain';
import { DATABASE_URL_FORM, isDatabaseUrl } from '@plugin-config/persistence/database-url';

const RETENTION_DAYS = 7;

export interface Settings {
  readonly databaseUrl: string;
  /** `from` is the variable or file that the text was read from. */
  readonly secretsKeys: { readonly text: string; readonly from: string };
  readonly retentionDays: number;
  /** The default quota of projects. */
  readonly logQuota: LogQuota;
  /** Null if `CLICKHOUSE_URL` is not set. */
  readonly clickHouse: { readonly url: string; readonly cluster: string | null } | null;
}

/** Reads the settings. Without `DATABASE_URL`, uses the running embedded database in the data directory, and its secrets keys. */
export async function readSettings(env: NodeJS.ProcessEnv): Promise<Settings> {
  const { DATABASE_URL: databaseUrl, SECRETS_KEYS: text = '' } = env;
  const common = {
    secretsKeys: { text, from: 'SECRETS_KEYS' },
    retentionDays: readNumber(env, 'LOG_RETENTION_DAYS', RETENTION_DAYS_MAX) ?? RETENTION_DAYS,
    logQuota: {
      entriesPerDay: readNumber(env, 'LOG_QUOTA_ENTRIES_PER_DAY'),
      bytesPerDay: readNumber(env, 'LOG_QUOTA_BYTES_PER_DAY'),
    },
    clickHouse: readClickHouse(env),
  };
  if (databaseUrl) {
    if (!isDatabaseUrl(databaseUrl)) throw new Error(`Invalid DATABASE_URL: expected ${DATABASE_URL_FORM}.`);
    return { databaseUrl, ...common };
  }
  const dataDir = env['DATA_DIR'] || '.data';
  const embedded = await content(join(dataDir, 'database-url'));
  if (embedded === '') throw new Error('No database found: set DATABASE_URL, or run npm start.');
  if (text !== '') return { databaseUrl: embedded, ...common };
  const file = join(dataDir, 'secrets-keys');
  return { ...common, databaseUrl: embedded, secretsKeys: { text: await content(file), from: file } };
}

/** Reads the ClickHouse settings; null if they are not set. */
export function readClickHouse({
  CLICKHOUSE_URL: url,
  CLICKHOUSE_CLUSTER: cluster,
}: NodeJS.ProcessEnv): Settings['clickHouse'] {
  if (!url) return null;
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return { url, cluster: cluster || null };
  throw new Error(
    'Invalid CLICKHOUSE_URL: expected an address such as http://user:password@host:8123/database.',
  );
}

function readNumber(env: NodeJS.ProcessEnv, name: string, max = Number.MAX_SAFE_INTEGER): number | null {
  const text = env[name];
  if (!text) return null;
  if (/^[1-9]\d*$/.test(text) && Number(text) <= max) return Number(text);
  throw new Error(`Invalid ${name}: expected a whole number from 1 to ${max}.`);
}

/** Reads a file; returns an empty string if it does not exist. */
async function content(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : null;
    if (code === 'ENOENT') return '';
    throw code === 'EACCES'
      ? new Error(`Cannot read ${path}: run this command as the user who runs npm start.`, { cause })
      : cause;
  }
}
