import { partitionedTable } from '../schema/tables.ts';
import { onCluster } from '../server/names.ts';
import type { ClickHouse } from '../server/clickhouse.ts';

/** Long, because the server rewrites every part that has entries of the project. */
const LIMITS = { timeLimitMs: 15 * 60_000 };

/** Deletes the entries of a project, and waits until all replicas have done so. */
export async function eraseProject({ cluster, command }: ClickHouse, projectId: number): Promise<void> {
  await command(
    `alter table ${partitionedTable(cluster)}${onCluster(cluster)} delete where project_id = ${projectId}
    settings mutations_sync = 2`,
    LIMITS,
  );
}
