import { connectionsAllowed, type Database } from '@plugin-config/persistence';
import type { Logger } from 'pino';
import type { Group } from '../group/group.ts';

interface Dependencies {
  readonly database: Database;
  readonly group: Group;
  /** The environment variable with the number of processes. */
  readonly variable: string;
  /** The most connections of one process. */
  readonly connections: number;
  readonly logger: Logger;
}

/** Says at the start if PostgreSQL accepts fewer connections than the processes may open. They run nevertheless. */
export async function warnOfFewConnections({
  database,
  group,
  variable,
  connections,
  logger,
}: Dependencies): Promise<void> {
  if (!group.isFirst) return;
  const { size } = group;
  /** While processes are replaced, there is one more. */
  const needed = (size === 1 ? 1 : size + 1) * connections;
  const allowed = await connectionsAllowed(database).catch(() => needed);
  if (needed <= allowed) return;
  logger.warn(
    { needed, allowed },
    `${variable}=${size} may open ${needed} connections, and PostgreSQL accepts ${allowed}: lower DATABASE_POOL_SIZE or ${variable}, or raise max_connections`,
  );
}
