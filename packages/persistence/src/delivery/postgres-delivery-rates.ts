import { deliveryWindow, familyNumber, type DeliveryRates } from '@plugin-config/domain';
import type pg from 'pg';
import { numberAt } from '../postgres/cells.ts';
import { columns } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { ROW_BY_ROW } from '../postgres/plans.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { unlessBusy } from '../postgres/unless-busy.ts';
import { BEFORE_THE_FIRST, findDueRates, MOST_AT_ONCE, type DueRate } from './due-rates.ts';
import { lockFreeFamilies } from '../project/lock-families.ts';

/** With each rate the latest error, which was not shown yet where the family was held when it was reported. */
const SHOW: Statement = {
  name: 'show_delivery_rates',
  text: `with changed as (
    update config_record r set
      delivery_rate = t.rate, error = case when e.record_id is null then r.error else e.error end
    from unnest($1::bigint[], $2::text[]) t (record_id, rate) left join error_report e on e.record_id = t.record_id
    where r.id = t.record_id
      and (r.delivery_rate is distinct from t.rate or e.record_id is not null and r.error is distinct from e.error)
    returning r.project_id, r.family
  ),
  raised as (
    update config_family f set revision = f.revision + 1
    from (select distinct project_id, family from changed) c
    where f.project_id = c.project_id and f.family = c.family
  )
  select count(*) from changed`,
};

const HELD = columns((row) => ({ recordId: row.number('record_id'), changes: row.number('changes') }));

/** What a batch reports on at the moment stays due anyway. */
const HOLD: Statement = {
  name: 'hold_delivery_rates',
  text: `select ${HELD.sql} from delivery_due where record_id = any ($1::bigint[])
  order by record_id for update skip locked`,
};

const SETTLE: Statement = {
  name: 'settle_delivery_rates',
  text: `update delivery_due d set due_at = t.due_at
  from unnest($1::bigint[], $2::timestamptz[]) t (record_id, due_at)
  where d.record_id = t.record_id`,
};

/** How long a project's rates wait for a lock that somebody else holds. */
const PATIENCE_MS = 200;
/** After so long the next refreshment goes on, of a later time. */
const LONGEST_MS = 2_000;

const BEGIN = `begin; ${ROW_BY_ROW}; set local lock_timeout = ${PATIENCE_MS}`;

/**
 * Adds up without a lock, and takes the families only where a rate reads differently. A family that somebody else has
 * is left for its next turn, and so is one whose records are locked for long: none holds up others.
 */
export function postgresDeliveryRates({ pool }: Pick<Database, 'pool'>): DeliveryRates {
  return {
    refresh: async (now) => {
      const window = deliveryWindow(now);
      const ends = performance.now() + LONGEST_MS;
      let changed = 0;
      let settled = 0;
      let after = BEFORE_THE_FIRST;
      for (;;) {
        const due = await findDueRates(pool, now, window, after);
        const portion = await settleApart(pool, due);
        changed += portion.changed;
        settled += portion.settled;
        const last = due.length < MOST_AT_ONCE ? undefined : due.at(-1);
        after = last?.turn ?? BEFORE_THE_FIRST;
        if (last === undefined && (settled === 0 || performance.now() > ends)) return changed;
        if (last === undefined) settled = 0;
      }
    },
  };
}

interface Settled {
  readonly changed: number;
  readonly settled: number;
}

/** In one step, or else family by family. */
async function settleApart(pool: pg.Pool, due: readonly DueRate[]): Promise<Settled> {
  const nothing: Settled = { changed: 0, settled: 0 };
  if (due.length === 0) return nothing;
  const whole = await unlessBusy(() => inTransaction(pool, BEGIN, (client) => settle(client, due)));
  if (whole !== null) return whole;
  const families = Map.groupBy(due, familyNumber);
  let sum = nothing;
  for (const own of families.values()) {
    const part = await unlessBusy(() => inTransaction(pool, BEGIN, (client) => settle(client, own)));
    if (part !== null) {
      sum = { changed: sum.changed + part.changed, settled: sum.settled + part.settled };
    }
  }
  return sum;
}

async function settle(client: pg.ClientBase, due: readonly DueRate[]): Promise<Settled> {
  const differing = due.filter(({ isChanged }) => isChanged);
  const isOurs = differing.length === 0 ? () => false : await lockFreeFamilies(client, differing);
  const current = await hold(
    client,
    due.filter((rate) => !rate.isChanged || isOurs(rate)),
  );
  const changed = await show(
    client,
    current.filter(({ isChanged }) => isChanged),
  );
  await run(client, SETTLE, [
    current.map(({ recordId }) => recordId),
    current.map(({ dueAt }) => (dueAt === null ? 'infinity' : new Date(dueAt).toISOString())),
  ]);
  return { changed, settled: current.length };
}

/** Those that nothing was reported on since they were added up. The others stay due. */
async function hold(client: pg.ClientBase, due: readonly DueRate[]): Promise<readonly DueRate[]> {
  const rows = await run(client, HOLD, [due.map(({ recordId }) => recordId)]);
  const changes = new Map(rows.map((row) => HELD.read(row)).map((held) => [held.recordId, held.changes]));
  return due.filter((rate) => changes.get(rate.recordId) === rate.changes);
}

async function show(client: pg.ClientBase, rates: readonly DueRate[]): Promise<number> {
  if (rates.length === 0) return 0;
  const [row] = await run(client, SHOW, [
    rates.map(({ recordId }) => recordId),
    rates.map(({ rate }) => rate),
  ]);
  return row === undefined ? 0 : numberAt(row, 0);
}
