import { EVERY_TASK_KIND, TASK_KINDS, type TaskKind, type TaskQueue } from '@plugin-config/domain';
import { TaskRow } from '../entities/task.row.ts';
import { columns } from '../postgres/columns.ts';
import type { StoreDatabase } from '../postgres/database.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { BEGIN_BY_INDEX } from '../postgres/plans.ts';
import { prepared, run } from '../postgres/statement.ts';
import { writtenOf } from '../postgres/table.ts';
import { claimTasks } from './claim-tasks.ts';
import { settleTask } from './settle-task.ts';

export const NEW_TASK = writtenOf(TaskRow, ['id', 'lane', 'dueAt', 'leaseUntil', 'attempts']);

export const ADD_TASKS = prepared('add_tasks')`
  insert into task (${NEW_TASK.names}) select * from ${NEW_TASK.unnest(1)}`;

/** Adds those tasks whose project has none of their kind and key. */
export const ENSURE_TASKS = prepared('ensure_tasks')`
  insert into task (${NEW_TASK.names}) select n.* from ${NEW_TASK.unnest(1)} n (${NEW_TASK.names})
  where not exists (select from task t where t.project_id = n.project_id and t.kind = n.kind and t.key = n.key)`;

/** The number of tasks that are made due at once. */
const WOKEN_MAX = 1000;

/**
 * Makes tasks due whose time has come, or that were put off or leased by a clock that was ahead. A lease may be twice as long as
 * its kind allows: a clock that steps back a little does not end the leases of live workers.
 */
export const WAKE_TASKS = prepared('wake_tasks')`with rule as (
    select * from unnest($1::text[], $2::float8[], $3::float8[]) r (kind, lease_ms, wait_ms)
  ),
  waiting as (
    select t.id, t.kind from rule r cross join lateral (
      (select * from task w where w.kind = r.kind and w.due_at <= statement_timestamp() limit ${WOKEN_MAX})
      union all
      (
        select * from task w where w.kind = r.kind and w.due_at < 'infinity'
          and w.due_at > statement_timestamp() + r.wait_ms * interval '1 millisecond'
        limit ${WOKEN_MAX}
      )
    ) t
  ),
  leased as (
    select t.id, t.kind from rule r cross join lateral (
      select * from task l
      where l.kind = r.kind and r.lease_ms is not null and l.lease_until is not null
        and (
          l.lease_until <= statement_timestamp()
          or l.lease_until > statement_timestamp() + 2 * r.lease_ms * interval '1 millisecond'
        )
      limit ${WOKEN_MAX}
    ) t
  ),
  found as (
    select t.ctid as row from task t
    where t.id = any (array(select w.id from waiting w union all select l.id from leased l)) for no key update skip locked
  ),
  woken as (
    update task t set due_at = null, lease_until = null where t.ctid = any (array(select f.row from found f))
  )
  select r.kind from rule r
  where (select true from task t where t.kind = r.kind and t.due_at is null and t.lease_until is null limit 1)
  union select w.kind from waiting w union select l.kind from leased l`;

const KIND = columns((row) => row.text('kind') as TaskKind);

const RULES = EVERY_TASK_KIND.map((kind) => TASK_KINDS[kind]);

const COUNTED_MAX = 100_000;

const COUNTS = columns((row) => ({
  kind: row.text('k.kind') as TaskKind,
  due: row.number(`(
    select count(*) from (
      select from task t where t.kind = k.kind and t.due_at is null and t.lease_until is null limit ${COUNTED_MAX}
    ) d
  )`),
  running: row.number(`(select count(*) from task t where t.kind = k.kind and t.lease_until is not null)`),
}));

const COUNT_TASKS = prepared('count_tasks')`select ${COUNTS.sql} from unnest($1::text[]) k (kind)`;

/** Continues after the last project that got a turn, so low ids have no advantage. */
export function postgresTaskQueue({ pool }: Pick<StoreDatabase, 'pool'>): TaskQueue {
  const claim = claimTasks();
  return {
    add: async (tasks) => {
      await run(pool, ADD_TASKS, NEW_TASK.arrays(tasks));
    },

    ensure: async (task) => {
      await run(pool, ENSURE_TASKS, NEW_TASK.arrays([task]));
    },

    wake: async () => {
      const rules = [
        EVERY_TASK_KIND,
        RULES.map(({ leaseMs, keepsEndedLeases }) => (keepsEndedLeases ? null : leaseMs)),
        RULES.map(({ longestWaitMs }) => longestWaitMs),
      ];
      const rows = await inTransaction(pool, BEGIN_BY_INDEX, (client) => run(client, WAKE_TASKS, rules));
      return new Set(rows.map((row) => KIND.read(row)));
    },

    claim: (kind, options) => inTransaction(pool, BEGIN_BY_INDEX, (client) => claim(client, kind, options)),

    settle: (task, next) => settleTask(pool, task, next),

    backlog: async () => {
      const counts = (await run(pool, COUNT_TASKS, [EVERY_TASK_KIND])).map((row) => COUNTS.read(row));
      return Object.fromEntries(counts.map(({ kind, ...count }) => [kind, count])) as Awaited<
        ReturnType<TaskQueue['backlog']>
      >;
    },
  };
}
