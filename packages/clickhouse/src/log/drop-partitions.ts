import { partitionedTable } from '../schema/tables.ts';
import { onCluster } from '../server/names.ts';
import type { ClickHouse } from '../server/clickhouse.ts';

const LIMITS = { timeLimitMs: 30_000 };

/** Drops all days before this one. Each call looks for all of them, since a late insert may recreate a dropped day. */
export async function dropPartitions({ cluster, select, command }: ClickHouse, day: Date): Promise<void> {
  const table = partitionedTable(cluster);
  const parts = cluster === null ? 'system.parts' : 'clusterAllReplicas({cluster:String}, system.parts)';
  const rows = await select(
    `select distinct partition from ${parts}
    where database = currentDatabase() and table = {table:String} and active and toDate(partition) < {day:Date}
    order by partition`,
    { table, day: day.toISOString().slice(0, 10), ...(cluster !== null && { cluster }) },
    LIMITS,
  );
  for (const [partition] of rows) {
    // By default, the server does not drop large partitions, as a guard against mistakes.
    await command(
      `alter table ${table}${onCluster(cluster)} drop partition '${String(partition)}' settings max_partition_size_to_drop = 0`,
      LIMITS,
    );
  }
}
