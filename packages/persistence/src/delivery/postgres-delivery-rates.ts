import { deliveryWindow, latestWindowChange, type DeliveryRates } from '@plugin-config/domain';
import type pg from 'pg';
import { numberAt } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { BEGIN_ROW_BY_ROW } from '../postgres/plans.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { lockDueRates, RATES_OF_CHUNK, START, type DueRate } from './due-rates.ts';
import { lockFreeFamilies } from '../writing/lock-families.ts';
import { write } from '../writing/write.ts';

/** Stores the rates on the records. Also stores errors that were postponed because the family was locked. */
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

/** Locks the records that are not locked, which those of a locked family rarely are. */
const LOCK_RECORDS: Statement = {
  name: 'lock_records_of_rates',
  text: 'select id from config_record where id = any ($1::bigint[]) order by id for no key update skip locked',
};

const SCHEDULE: Statement = {
  name: 'schedule_delivery_rates',
  text: `update delivery_due d set due_at = t.due_at
  from unnest($1::bigint[], $2::timestamptz[]) t (record_id, due_at)
  where d.record_id = t.record_id`,
};

/** Makes rates due that are scheduled too late, which only happens if the clock was ahead when they were computed. */
const EXPEDITE: Statement = {
  name: 'expedite_delivery_rates',
  text: `update delivery_due set due_at = '-infinity' where record_id = any (array(
    select d.record_id from delivery_due d where d.due_at > $1::timestamptz
    order by d.due_at limit ${RATES_OF_CHUNK} for update skip locked
  ))`,
};

/** The time limit of a refresh. The next refresh continues from there. */
const TIME_LIMIT_MS = 2_000;

/**
 * Locks a family only if a rate has changed. Rates of families or records that are locked stay due for a later pass, so they never
 * delay others.
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
      await run(pool, EXPEDITE, [new Date(latestWindowChange(window)).toISOString()]);
      let changed = 0;
      let settled = 0;
      do {
        const isFirst = after === START;
        const chunk = await inTransaction(pool, BEGIN_ROW_BY_ROW, async (client) => {
          const { rates, next } = await lockDueRates(client, now, window, after);
          return { ...(await settle(client, rates)), next };
        });
        changed += chunk.changed;
        settled = chunk.settled + (isFirst ? 0 : settled);
        after = chunk.next ?? START;
        if (chunk.next === null && settled === 0) break;
      } while (performance.now() < deadline);
      return changed;
    },
  };
}

interface Settled {
  readonly changed: number;
  readonly settled: number;
}

/** Stores the rates that have changed, and schedules all but those that could not be stored. */
async function settle(client: pg.ClientBase, rates: readonly DueRate[]): Promise<Settled> {
  if (rates.length === 0) return { changed: 0, settled: 0 };
  const storable = await lockRecords(
    client,
    rates.filter(({ isChanged }) => isChanged),
  );
  const changed = await storeRates(client, storable);
  const current = [...rates.filter(({ isChanged }) => !isChanged), ...storable];
  await run(client, SCHEDULE, [
    current.map(({ recordId }) => recordId),
    current.map(({ dueAt }) => new Date(dueAt).toISOString()),
  ]);
  return { changed, settled: current.length };
}

/** Locks families and their records, and returns the rates of those that were free. */
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
