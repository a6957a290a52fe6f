import { deliveryWindow, type DeliveryRates } from '@plugin-config/domain';
import type pg from 'pg';
import { numberAt } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { BEGIN_ROW_BY_ROW } from '../postgres/plans.ts';
import { prepared, run, type Statement } from '../postgres/statement.ts';
import { lockDueRates, START, type DueRate } from './due-rates.ts';
import { lockFreeFamilies } from '../writing/lock-families.ts';
import { write } from '../writing/write.ts';

/** Stores the rates on the records. Includes errors that were postponed because the family was locked. */
const STORE_RATES: Statement = {
  name: 'store_delivery_rates',
  text: write({
    update: {
      set: 'delivery_rate = t.rate, error = case when e.record_id is null then r.error else e.error end',
      from: 'unnest($1::bigint[], $2::text[]) t (record_id, rate) left join error_report e on e.record_id = t.record_id',
      where: `r.id = t.record_id
      and (r.delivery_rate is distinct from t.rate or e.record_id is not null and r.error is distinct from e.error)`,
    },
    entries: null,
    increments: 'family_version',
    result: 'select count(*) from written',
  }),
};

/** Locks the records that are not locked. In a locked family, few are. */
const LOCK_RECORDS = prepared('lock_records_of_rates')`
  select id from config_record where id = any ($1::bigint[]) order by id for no key update skip locked`;

const SCHEDULE = prepared('schedule_delivery_rates')`update delivery_due d set due_at = t.due_at
  from unnest($1::bigint[], $2::timestamptz[]) t (record_id, due_at)
  where d.record_id = t.record_id`;

/** The time limit of a refresh. The next refresh continues from there. */
const TIME_LIMIT_MS = 2_000;

/**
 * Locks a family only if a rate has changed. Rates of families or records that are locked are left to the next refresh, so they
 * never delay others. Each chunk continues after the projects of the last one, so low ids have no advantage.
 */
export function postgresDeliveryRates(
  { pool }: Pick<Database, 'pool'>,
  timeLimitMs = TIME_LIMIT_MS,
): DeliveryRates {
  let after = START;
  return {
    refresh: async (now) => {
      const window = deliveryWindow(now);
      const deadline = performance.now() + timeLimitMs;
      let changed = 0;
      do {
        const { rates, next, stored } = await inTransaction(pool, BEGIN_ROW_BY_ROW, async (client) => {
          const due = await lockDueRates(client, now, window, after);
          return { ...due, stored: await settle(client, due.rates, now) };
        });
        changed += stored;
        if (rates.length === 0 && after === START) break;
        after = next;
      } while (performance.now() < deadline);
      return changed;
    },
  };
}

/** Stores the changed rates, and schedules all. A rate that could not be stored is due at the next refresh. */
async function settle(client: pg.ClientBase, rates: readonly DueRate[], now: Date): Promise<number> {
  if (rates.length === 0) return 0;
  const changed = rates.filter(({ isChanged }) => isChanged);
  const storable = new Set(await lockRecords(client, changed));
  const isLeft = (rate: DueRate): boolean => rate.isChanged && !storable.has(rate);
  await run(client, SCHEDULE, [
    rates.map(({ recordId }) => recordId),
    rates.map((rate) => (isLeft(rate) ? now : new Date(rate.dueAt)).toISOString()),
  ]);
  return storeRates(client, [...storable]);
}

/** Locks free families and their free records, and returns their rates. */
async function lockRecords(client: pg.ClientBase, rates: readonly DueRate[]): Promise<readonly DueRate[]> {
  if (rates.length === 0) return [];
  const isLocked = await lockFreeFamilies(client, rates);
  const ids = rates.filter(isLocked).map(({ recordId }) => recordId);
  const locked = new Set((await run(client, LOCK_RECORDS, [ids])).map((row) => numberAt(row, 0)));
  return rates.filter(({ recordId }) => locked.has(recordId));
}

async function storeRates(client: pg.ClientBase, rates: readonly DueRate[]): Promise<number> {
  if (rates.length === 0) return 0;
  const [row] = await run(client, STORE_RATES, [
    rates.map(({ recordId }) => recordId),
    rates.map(({ rate }) => rate),
  ]);
  return row === undefined ? 0 : numberAt(row, 0);
}
