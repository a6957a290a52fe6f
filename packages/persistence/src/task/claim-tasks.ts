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

/** SQL for the first due task at or after a place in the index of due tasks. Only this index has their order. */
const firstDue = (place: string): string =>
  `(select * from task t where t.due_at is null and t.lease_until is null and ${place} order by t.kind, t.project_id, t.key, t.id limit 1)`;

/**
 * Skips in the index from project to project and from key to key, so the number of their tasks does not matter. Of the tasks
 * found, the first of each project comes before the second of another. They are locked and updated by id: no plan for a small table
 * reads all tasks of a large one.
 */
export const CLAIM_TASKS = prepared('claim_tasks')`with recursive turn (id) as (
    select n.project_id from ${firstDue('(t.kind, t.project_id) > ($1, $2)')} n where n.kind = $1
    union all
    select n.project_id from turn p cross join lateral ${firstDue('(t.kind, t.project_id) > ($1, p.id)')} n where n.kind = $1
  ),
  head as materialized (
    select h.id, p.id as project_id, row_number() over (partition by p.id order by h.id) as round
    from (select id from turn limit ${PROJECTS}) p
    cross join lateral (
      with recursive first (key, id, tenant) as (
        select n.key, n.id, coalesce(n.account_id, -n.project_id) from ${firstDue('(t.kind, t.project_id) >= ($1, p.id)')} n
        where n.kind = $1 and n.project_id = p.id
        union all
        select n.key, n.id, coalesce(n.account_id, -n.project_id)
        from first f cross join lateral ${firstDue('(t.kind, t.project_id, t.key) > ($1, p.id, f.key)')} n
        where n.kind = $1 and n.project_id = p.id
      )
      select f.id from (select * from first limit ${KEYS}) f
      where f.tenant <> all ($4::bigint[]) and f.key <> all ($5::bigint[])
        and ($8::bigint[] is null or f.key = any ($8))
        and not exists (select from task r where r.kind = $1 and r.key = f.key and r.lease_until is not null)
    ) h
    where $7::boolean or p.id = ${SERVICE} or (select true from project e where e.id = p.id)
  ),
  chosen as materialized (
    select t.id from (select * from head order by round, project_id) h
    cross join lateral (
      select t.id from task t where t.id = h.id and coalesce(t.due_at, t.lease_until) is null for no key update skip locked
    ) t
    limit $3
  )
  update task t set attempts = t.attempts + 1,
    lease_until = statement_timestamp() + $6::float8 * interval '1 millisecond'
  where t.id = any (array(select c.id from chosen c))
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
