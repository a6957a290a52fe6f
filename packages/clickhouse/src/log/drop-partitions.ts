import { partitionedTable } from '../schema/tables.ts';
import { onCluster } from '../server/names.ts';
import type { ClickHouse } from '../server/clickhouse.ts';

const LIMITS = { timeLimitMs: 30_000 };

/** Drops the days before this one. A late insert makes a dropped day again, so each call looks for all of them. */
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
    // A server refuses to drop a large partition, so that nobody does it by mistake.
    await command(
      `alter table ${table}${onCluster(cluster)} drop partition '${String(partition)}' settings max_partition_size_to_drop = 0`,
      LIMITS,
    );
  }
}
