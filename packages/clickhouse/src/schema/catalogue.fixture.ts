import type { ClickHouse } from '../server/clickhouse.ts';

const LIMITS = { timeLimitMs: 5_000 };

/** Describes all tables of the database as the server has them, for comparison with `catalogue.sql`. */
export async function catalogueOf({ select }: ClickHouse): Promise<string> {
  const rows = await select(
    `select replaceAll(formatQuery(create_table_query), concat(currentDatabase(), '.'), '')
    from system.tables where database = currentDatabase() order by name`,
    {},
    LIMITS,
  );
  return `${rows.map(([text]) => String(text)).join('\n\n')}\n`;
}
