import { parseLane, type OpenLane } from '@plugin-config/domain';
import type pg from 'pg';
import { columns } from '../postgres/columns.ts';
import { prepared, run } from '../postgres/statement.ts';

/** The number of projects of a lane that one call finds, besides the requested ones. */
const PROJECTS = 20;

export const isOpen = (task: string): string =>
  `${task}.lane is not null and ${task}.due_at is null and ${task}.lease_until is null`;

const OPEN = columns((row) => ({ lane: row.text('l.lane'), projectId: row.number('p.id') }));

/** Returns the first open projects of a lane after one. */
const projectsAfter = (after: string): string => `(
      with recursive turn (id) as (
        (select t.project_id from task t where t.lane = l.lane and ${isOpen('t')} and t.project_id > ${after} order by t.project_id limit 1)
        union all
        select n.id from turn u cross join lateral (
          select t.project_id as id from task t
          where t.lane = l.lane and ${isOpen('t')} and t.project_id > u.id order by t.project_id limit 1
        ) n
      )
      select id from turn limit ${PROJECTS}
    )`;

/** Skips in the index from lane to lane and from project to project, so the number of their jobs does not matter. */
export const OPEN_LANES = prepared('open_lanes')`with recursive lanes (lane) as (
    (select t.lane from task t where ${isOpen('t')} order by t.lane limit 1)
    union all
    select n.lane from lanes l cross join lateral (
      select t.lane from task t where ${isOpen('t')} and t.lane > l.lane order by t.lane limit 1
    ) n
  )
  select ${OPEN.sql} from lanes l cross join lateral (
    ${projectsAfter('$2')}
    union ${projectsAfter('0')}
    union (
      select b.id from unnest($1::bigint[]) b (id)
      where (select true from task t where t.lane = l.lane and t.project_id = b.id and ${isOpen('t')} limit 1)
    )
  ) p (id)
  where (select true from project e where e.id = p.id)
  order by p.id <= $2, p.id, l.lane`;

/** Returns a function that finds open lanes. Each call begins after the first project of the last one. */
export function openLanes(pool: pg.Pool) {
  let last = 0;
  return async (projectIds: readonly number[]): Promise<readonly OpenLane[]> => {
    const rows = (await run(pool, OPEN_LANES, [projectIds, last])).map((row) => OPEN.read(row));
    last = rows[0]?.projectId ?? 0;
    return rows.map(({ lane, projectId }) => ({ ...parseLane(lane), projectId }));
  };
}
