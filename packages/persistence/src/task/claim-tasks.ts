import { SERVICE, TASK_KINDS, type Task, type TaskClaim, type TaskKind } from '@plugin-config/domain';
import type pg from 'pg';
import { TaskRow } from '../entities/task.row.ts';
import type { Columns } from '../postgres/columns.ts';
import { prepared, run } from '../postgres/statement.ts';
import { rowOf } from '../postgres/table.ts';

const TASK: Columns<Task> = rowOf(TaskRow, 't', ['lane', 'dueAt', 'leaseUntil']);

/** The projects that one call considers, and the keys of each. */
const PROJECTS = 100;
const KEYS = 1000;

const isDue = (task: string): string =>
  `${task}.kind = $1 and ${task}.due_at is null and ${task}.lease_until is null`;

/**
 * Skips in the index from project to project and from key to key, so the number of their tasks does not matter. Of the tasks
 * found, the first of each project comes before the second of another. They are locked by id: the condition is written so that no
 * plan reads the index of all due tasks for each of them.
 */
export const CLAIM_TASKS = prepared('claim_tasks')`with recursive turn (id) as (
    (select t.project_id from task t where ${isDue('t')} and t.project_id > $2 order by t.project_id limit 1)
    union all
    select n.project_id from turn p cross join lateral (
      select t.project_id from task t where ${isDue('t')} and t.project_id > p.id order by t.project_id limit 1
    ) n
  ),
  head as materialized (
    select h.id, p.id as project_id, row_number() over (partition by p.id order by h.id) as round
    from (select id from turn limit ${PROJECTS}) p
    cross join lateral (
      with recursive first (key, id, tenant) as (
        (
          select t.key, t.id, coalesce(t.account_id, -t.project_id) from task t
          where ${isDue('t')} and t.project_id = p.id order by t.key, t.id limit 1
        )
        union all
        select n.* from first f cross join lateral (
          select t.key, t.id, coalesce(t.account_id, -t.project_id) from task t
          where ${isDue('t')} and t.project_id = p.id and t.key > f.key order by t.key, t.id limit 1
        ) n
      )
      select f.id from (select * from first limit ${KEYS}) f
      where f.tenant <> all ($4::bigint[]) and f.key <> all ($5::bigint[])
        and ($8::bigint[] is null or f.key = any ($8))
        and not exists (select from task r where r.kind = $1 and r.key = f.key and r.lease_until is not null)
    ) h
    where $7::boolean or p.id = ${SERVICE} or exists (select from project e where e.id = p.id)
  ),
  chosen as materialized (
    select t.id from head h join task t on t.id = h.id
    where coalesce(t.due_at, t.lease_until) is null
    order by h.round, h.project_id limit $3 for no key update of t skip locked
  )
  update task t set attempts = t.attempts + 1,
    lease_until = statement_timestamp() + $6::float8 * interval '1 millisecond'
  from chosen c where t.id = c.id
  returning ${TASK.sql}`;

type ClaimTasks = (client: pg.ClientBase, kind: TaskKind, claim: TaskClaim) => Promise<readonly Task[]>;

/** Returns a function that claims tasks in the transaction of its caller. Each call continues after the projects of the last one. */
export function claimTasks(): ClaimTasks {
  const last = new Map<TaskKind, number>();
  return async (client, kind, { limit, exceptTenants, exceptKeys = [], onlyKeys = null }) => {
    const { leaseMs, outlivesProject } = TASK_KINDS[kind];
    const after = async (project: number): Promise<readonly Task[]> => {
      const options = [limit, exceptTenants, exceptKeys, leaseMs, outlivesProject, onlyKeys];
      const rows = await run(client, CLAIM_TASKS, [kind, project, ...options]);
      return rows.map((row) => TASK.read(row)).toSorted((a, b) => a.id - b.id);
    };
    const start = last.get(kind) ?? -1;
    let tasks = await after(start);
    if (tasks.length === 0 && start >= 0) tasks = await after(-1);
    last.set(kind, Math.max(-1, ...tasks.map(({ projectId }) => projectId)));
    return tasks;
  };
}
