import { deliveryWindow, type DeliveryRates } from '@plugin-config/domain';
import type pg from 'pg';
import { numberAt } from '../cells.ts';
import type { Database } from '../database.ts';
import { inTransaction } from '../in-transaction.ts';
import { ROW_BY_ROW } from '../log-entry/plans.ts';
import { run, type Statement } from '../statement.ts';
import { findDueRates, MOST_AT_ONCE, type DueRate } from './due-rates.ts';
import { lockFamilies } from './lock-families.ts';

const SHOW: Statement = {
  name: 'show_delivery_rates',
  text: `with changed as (
    update config_record r set delivery_rate = t.rate
    from unnest($1::bigint[], $2::text[]) t (record_id, rate)
    where r.id = t.record_id and r.delivery_rate is distinct from t.rate
    returning r.project_id, r.family
  ),
  raised as (
    update config_family f set revision = f.revision + 1
    from (select distinct project_id, family from changed) c
    where f.project_id = c.project_id and f.family = c.family
  )
  select count(*) from changed`,
};

/** In the order that reports take them in. */
const HOLD: Statement = {
  name: 'hold_delivery_rates',
  text: 'select record_id, changes from delivery_due where record_id = any ($1::bigint[]) order by record_id for update',
};

const SETTLE: Statement = {
  name: 'settle_delivery_rates',
  text: `update delivery_due d set due_at = t.due_at
  from unnest($1::bigint[], $2::timestamptz[]) t (record_id, due_at)
  where d.record_id = t.record_id`,
};

/** Adds up without a lock, and takes the families only where a rate reads differently. */
export function postgresDeliveryRates({ pool }: Pick<Database, 'pool'>): DeliveryRates {
  return {
    refresh: async (now) => {
      const window = deliveryWindow(now);
      let changed = 0;
      for (;;) {
        const due = await findDueRates(pool, now, window);
        if (due.length === 0) return changed;
        changed += await inTransaction(pool, `begin; ${ROW_BY_ROW}`, (client) => settle(client, due));
        if (due.length < MOST_AT_ONCE) return changed;
      }
    },
  };
}

async function settle(client: pg.ClientBase, due: readonly DueRate[]): Promise<number> {
  const differing = due.filter(({ isChanged }) => isChanged);
  if (differing.length > 0) await lockFamilies(client, differing);
  const current = await hold(client, due);
  const changed = await show(
    client,
    current.filter(({ isChanged }) => isChanged),
  );
  await run(client, SETTLE, [
    current.map(({ recordId }) => recordId),
    current.map(({ dueAt }) => (dueAt === null ? 'infinity' : new Date(dueAt).toISOString())),
  ]);
  return changed;
}

/** Those that nothing was reported on since they were added up. The others stay due. */
async function hold(client: pg.ClientBase, due: readonly DueRate[]): Promise<readonly DueRate[]> {
  const rows = await run(client, HOLD, [due.map(({ recordId }) => recordId)]);
  const changes = new Map(rows.map((row) => [numberAt(row, 0), numberAt(row, 1)]));
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
