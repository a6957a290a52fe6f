import type { ClickHouse } from '../server/clickhouse.ts';
import { serverErrorCode } from '../server/translate-error.ts';
import { schemaState } from './schema-state.ts';

const LIMITS = { timeLimitMs: 2_000 };
/** The oldest version that has every feature the queries use. */
const OLDEST = [25, 8] as const;

/** Errors that a retry cannot fix, and what to do about them. */
const REJECTIONS: Readonly<Record<number, string>> = {
  81: 'The database of CLICKHOUSE_URL does not exist in ClickHouse: create it, or name another database in the path of the URL.',
  192: 'ClickHouse does not know the user of CLICKHOUSE_URL.',
  193: 'ClickHouse rejects the password of CLICKHOUSE_URL.',
  194: 'ClickHouse requires a password: add it to CLICKHOUSE_URL.',
  497: 'The user of CLICKHOUSE_URL lacks a privilege in ClickHouse: grant select, insert, create table, alter and drop on the database.',
  516: 'ClickHouse rejects the user or the password of CLICKHOUSE_URL.',
};

/**
 * Returns why this code cannot work with the server and what to do about it; null if it can.
 * @throws DomainError `unavailable` if the server is unreachable
 */
export async function clickHouseProblem(clickHouse: ClickHouse): Promise<string | null> {
  const reason = await compatibilityProblem(clickHouse);
  if (reason !== null) return reason;
  const { missing, problem } = await schemaState(clickHouse);
  if (problem !== null || missing.length === 0) return problem;
  return 'The schema of ClickHouse is older than this code: update it with npm run --silent cli -- migrate';
}

/** Like `clickHouseProblem`, but ignores the schema. */
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
    ? `ClickHouse ${version} is too old: upgrade it to ${OLDEST.join('.')} or newer.`
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
    : `ClickHouse has no cluster ${cluster}: set CLICKHOUSE_CLUSTER to one of its clusters, or unset it.`;
}
