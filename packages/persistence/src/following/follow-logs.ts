import type { LogPosition, LogRef } from '@plugin-config/domain';
import { columns } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { prepared, run } from '../postgres/statement.ts';
import { untilTransactionsEnd, writersOf } from '../postgres/until-transactions-end.ts';
import { OF_OWN_PROJECT } from '../entities/families-in-sql.ts';

/** The requested logs in the order of their ids, without logs of other projects. */
const REQUESTED = `unnest($1::bigint[], $2::bigint[]) t (record_id, project_id) ${OF_OWN_PROJECT('t')}`;

const UPDATE_FOLLOWERS = prepared('update_log_followers')`insert into log_follower (record_id, seen_at)
  select t.record_id, statement_timestamp() from ${REQUESTED}
  on conflict (record_id) do update set seen_at = excluded.seen_at`;

/** Skips logs that are already followed, since `on conflict` alone would wait for a batch that locks the row. */
const FOLLOW = prepared('follow_logs')`insert into log_follow (record_id, epoch, number)
  select t.record_id, nextval('log_follow_epoch_seq'), 0 from ${REQUESTED}
  where not exists (select from log_follow f where f.record_id = t.record_id)
  on conflict do nothing`;

const POSITION = columns((row) => ({
  id: row.number('t.record_id'),
  projectId: row.number('t.project_id'),
  epoch: row.number('f.epoch'),
  number: row.number('f.number'),
}));

const POSITIONS = prepared('log_positions')`
  select ${POSITION.sql} from ${REQUESTED} join log_follow f on f.record_id = t.record_id`;

/**
 * Follows logs, then waits for the batches that started earlier, which may not know that the logs are followed. Waits for no
 * other transactions and blocks none. Returns the positions in the order of the logs.
 */
export async function followLogs(
  { pool }: Pick<Database, 'pool'>,
  logs: readonly LogRef[],
): Promise<readonly (LogPosition | null)[]> {
  const sorted = [...new Map(logs.map((log) => [logName(log), log])).values()].toSorted(
    (a, b) => a.id - b.id,
  );
  const parameters = [sorted.map(({ id }) => id), sorted.map(({ projectId }) => projectId)];
  await inTransaction(pool, 'begin', async (client) => {
    await run(client, UPDATE_FOLLOWERS, parameters);
    await run(client, FOLLOW, parameters);
  });
  await untilTransactionsEnd(pool, OPEN_BATCHES);
  const rows = await run(pool, POSITIONS, parameters);
  const positions = new Map(
    rows.map((row) => {
      const { id, projectId, ...at } = POSITION.read(row);
      return [logName({ id, projectId }), at];
    }),
  );
  return logs.map((log) => positions.get(logName(log)) ?? null);
}

/** Includes the project, since tenants share a statement, and one may request the log of another. */
function logName({ projectId, id }: LogRef): string {
  return `${projectId}/${id}`;
}

/** Batches hold their lock on the log even while their commit waits. */
const OPEN_BATCHES = writersOf('open_batches', ['log_entry']);
