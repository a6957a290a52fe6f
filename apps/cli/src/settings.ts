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
  /** Null without an archive. */
  readonly clickHouse: { readonly url: string; readonly cluster: string | null } | null;
}

/** Reads the settings. Without `DATABASE_URL`, uses the embedded database that is running in the data directory, and its secrets keys. */
export async function readSettings(env: NodeJS.ProcessEnv): Promise<Settings> {
  const { DATABASE_URL: databaseUrl, SECRETS_KEYS: text = '' } = env;
  const common = {
    secretsKeys: { text, from: 'SECRETS_KEYS' },
    retentionDays: readRetentionDays(env['LOG_RETENTION_DAYS']),
    logQuota: {
      entriesPerDay: readLimit(env, 'LOG_QUOTA_ENTRIES_PER_DAY'),
      bytesPerDay: readLimit(env, 'LOG_QUOTA_BYTES_PER_DAY'),
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

function readRetentionDays(text: string | undefined): number {
  if (!text) return RETENTION_DAYS;
  const days = Number(text);
  if (/^\d+$/.test(text) && days >= 1 && days <= RETENTION_DAYS_MAX) return days;
  throw new Error(`Invalid LOG_RETENTION_DAYS: expected a number of days, 1 to ${RETENTION_DAYS_MAX}.`);
}

function readLimit(env: NodeJS.ProcessEnv, name: string): number | null {
  const text = env[name];
  if (!text) return null;
  if (/^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw new Error(`Invalid ${name}: expected a positive whole number.`);
}

/** Reads a file; returns an empty string if it does not exist. */
async function content(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOENT') return '';
    if (code === 'EACCES')
      throw new Error(`Cannot read ${path}: run this command as the user who runs npm start.`, {
        cause: error,
      });
    throw error;
  }
}
