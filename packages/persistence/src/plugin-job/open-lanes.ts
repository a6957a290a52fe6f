import { parseLane, type LaneFilter, type OpenLane } from '@plugin-config/domain';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { columns } from '../postgres/columns.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { BEGIN_BY_INDEX } from '../postgres/plans.ts';
import { prepared, run } from '../postgres/statement.ts';
import type { LaneTurns } from './lane-turns.ts';

/** The number of lanes that one call finds for a prefix, which is more than the types of a registered plugin. */
const LANES = 64;
/** The same for a project that a key names. */
const LANES_OF_PROJECT = 1000;
/** The number of projects of a lane that one call finds, besides the named ones. */
const PROJECTS = 20;
/** The maximum number of searches of a call, one for each plugin, or each plugin in a project. Beyond it, families are searched. */
const SEARCHES = 5_000;
/** The number of prefixes whose last lane is remembered. */
const PREFIXES = 1000;

export const isOpen = (task: string): string =>
  `${task}.lane is not null and ${task}.due_at is null and ${task}.lease_until is null`;

const OPEN = columns((row) => ({ lane: row.text('o.lane'), projectId: row.number('o.id') }));

/** Skips in the index from one value of a column to the next. */
const skipping = (column: string, where: string, { after, limit }: { after: string; limit: number }) => `(
      with recursive turn (at) as (
        (select t.${column} from task t where ${where} and ${isOpen('t')} and t.${column} > ${after} order by t.${column} limit 1)
        union all
        select n.at from turn u cross join lateral (
          select t.${column} as at from task t
          where ${where} and ${isOpen('t')} and t.${column} > u.at order by t.${column} limit 1
        ) n
      )
      select at from turn limit ${limit}
    )`;

/** Returns the first values after one, and the first of all. */
const byTurns = (
  column: string,
  where: string,
  { after, limit, first }: Record<'after' | 'first', string> & { limit: number },
) => `${skipping(column, where, { after, limit })} union ${skipping(column, where, { after: first, limit })}`;

/** The number of jobs of a lane, of lanes and projects that nobody asks for does not matter. */
export const OPEN_LANES = prepared('open_lanes')`select ${OPEN.sql} from (
    select distinct l.lane, p.id, p.id <= c.last as has_had_turn
    from unnest($1::text[], $2::text[], $3::text[]) s (prefix, until, after)
    cross join lateral (
      ${byTurns('lane', 't.lane < s.until', { after: 's.after', first: 's.prefix', limit: LANES })}
    ) l (lane)
    cross join lateral (
      select coalesce((select m.at from unnest($7::text[], $8::bigint[]) m (lane, at) where m.lane = l.lane limit 1), 0)
    ) c (last)
    cross join lateral (
      ${byTurns('project_id', 't.lane = l.lane', { after: 'c.last', first: '0', limit: PROJECTS })}
    ) p (id)
    union
    select l.lane, b.id, false
    from unnest($4::text[], $5::text[], $6::bigint[]) b (prefix, until, id)
    cross join lateral (
      ${skipping('lane', 't.project_id = b.id and t.lane < b.until', { after: 'b.prefix', limit: LANES_OF_PROJECT })}
    ) l (lane)
  ) o
  where (select true from project e where e.id = o.id)
  order by o.lane, o.has_had_turn, o.id`;

export function openLanes(pool: pg.Pool, turns: LaneTurns) {
  const lastLanes = new LRUCache<string, string>({ max: PREFIXES });
  return async (filters: readonly LaneFilter[]): Promise<readonly OpenLane[]> => {
    const prefixesOf = searchesOf(filters) > SEARCHES ? ofFamily : ofPlugins;
    const prefixes = [...new Set(filters.filter(isForAll).flatMap(prefixesOf))];
    const bound = projectsByPrefix(filters, prefixesOf);
    const last = turns.last();
    const searches = [
      prefixes,
      prefixes.map(endOf),
      prefixes.map((prefix) => lastLanes.get(prefix) ?? prefix),
      bound.map(({ prefix }) => prefix),
      bound.map(({ prefix }) => endOf(prefix)),
      bound.map(({ projectId }) => projectId),
      [...last.keys()],
      [...last.values()],
    ];
    const rows = await inTransaction(pool, BEGIN_BY_INDEX, (client) => run(client, OPEN_LANES, searches));
    const found = rows.map((row) => OPEN.read(row));
    for (const prefix of prefixes) {
      const lane = found.findLast((one) => one.lane.startsWith(prefix))?.lane ?? '';
      if (lane > (lastLanes.get(prefix) ?? prefix)) lastLanes.set(prefix, lane);
      else lastLanes.delete(prefix);
    }
    return turns.inTurn(found.map(({ lane, projectId }) => ({ ...parseLane(lane), projectId })));
  };
}

const isForAll = ({ key }: LaneFilter): boolean => key.projectIds.length === 0;

/** How the lanes of a runtime begin. Others may begin the same way. */
type PrefixesOf = (filter: LaneFilter) => readonly string[];

const ofFamily: PrefixesOf = ({ family }) => [`${family} `];

const ofPlugins: PrefixesOf = (filter) =>
  filter.plugins.length === 0 ? ofFamily(filter) : filter.plugins.map((id) => `${filter.family} ${id} `);

function searchesOf(filters: readonly LaneFilter[]): number {
  const numbers = filters.map(
    ({ plugins, key }) => Math.max(1, plugins.length) * Math.max(1, key.projectIds.length),
  );
  return numbers.reduce((sum, number) => sum + number, 0);
}

/** Returns the first text after those with a prefix. */
const endOf = (prefix: string): string => prefix.replace(/ $/, '!');

interface Bound {
  readonly prefix: string;
  readonly projectId: number;
}

/** Returns the projects that keys name, with how their lanes begin. */
function projectsByPrefix(filters: readonly LaneFilter[], prefixesOf: PrefixesOf): readonly Bound[] {
  const found = new Map<string, Set<number>>();
  for (const filter of filters) {
    for (const prefix of prefixesOf(filter)) {
      const ids = found.get(prefix) ?? new Set();
      for (const id of filter.key.projectIds) ids.add(id);
      found.set(prefix, ids);
    }
  }
  return [...found].flatMap(([prefix, ids]) => [...ids].map((projectId) => ({ prefix, projectId })));
}
