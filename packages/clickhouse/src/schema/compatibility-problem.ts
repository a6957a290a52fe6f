import type { ClickHouse } from '../server/clickhouse.ts';
import { serverErrorCode } from '../server/translate-error.ts';

const LIMITS = { timeLimitMs: 2_000 };
/** The oldest version with all that the queries use. */
const OLDEST = [25, 8] as const;

/** Errors that no waiting mends, and what to do. */
const REJECTIONS: Readonly<Record<number, string>> = {
  81: 'The database of CLICKHOUSE_URL does not exist in ClickHouse: create it, or name another one in the path of the address.',
  192: 'ClickHouse does not know the user of CLICKHOUSE_URL.',
  193: 'ClickHouse rejects the password of CLICKHOUSE_URL.',
  194: 'ClickHouse wants a password: give it in CLICKHOUSE_URL.',
  497: 'The user of CLICKHOUSE_URL may not do this in ClickHouse: grant select, insert, create table, alter and drop on the database.',
  516: 'ClickHouse rejects the user or the password of CLICKHOUSE_URL.',
};

/**
 * Why the service cannot work with the server, and what to do; null if it can.
 * @throws DomainError `unavailable` if it is out of reach
 */
export async function compatibilityProblem(clickHouse: ClickHouse): Promise<string | null> {
  try {
    return (await versionProblem(clickHouse)) ?? (await clusterProblem(clickHouse));
  } catch (error) {
    const rejection = REJECTIONS[serverErrorCode(error) ?? 0];
    if (rejection === undefined) throw error;
    return rejection;
  }
}

async function versionProblem(clickHouse: ClickHouse): Promise<string | null> {
  const [row] = await clickHouse.select('select version()', {}, LIMITS);
  const version = String(row?.[0]);
  return isOld(version)
    ? `ClickHouse ${version} is older than ${OLDEST.join('.')}, the oldest that the service works with: upgrade it.`
    : null;
}

export function isOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
}

async function clusterProblem({ cluster, select }: ClickHouse): Promise<string | null> {
  if (cluster === null) return null;
  const found = await select(
    'select 1 from system.clusters where cluster = {cluster:String} limit 1',
    { cluster },
    LIMITS,
  );
  return found.length > 0
    ? null
    : `ClickHouse knows no cluster ${cluster}: name one of its clusters in CLICKHOUSE_CLUSTER, or unset it.`;
}
