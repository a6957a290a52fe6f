import { deliveryWindow, familyNumber, latestWindowChange, type DeliveryRates } from '@plugin-config/domain';
import type pg from 'pg';
import { columns, numberAt } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { BEGIN_ROW_BY_ROW } from '../postgres/plans.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { nullIfBusy } from '../postgres/busy.ts';
import { START, findDueRates, RATES_OF_CHUNK, type DueRate } from './due-rates.ts';
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

const LOCKED = columns((row) => ({ recordId: row.number('record_id'), changes: row.number('changes') }));

/** Locks due rates. Skips those with a concurrent report, which stay due anyway. */
const LOCK_RATES: Statement = {
  name: 'lock_delivery_rates',
  text: `select ${LOCKED.sql} from delivery_due where record_id = any ($1::bigint[])
  order by record_id for update skip locked`,
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

const LOCK_TIMEOUT_MS = 200;
/** The time limit of a refresh. The next refresh continues from there. */
const TIME_LIMIT_MS = 2_000;

const BEGIN = `${BEGIN_ROW_BY_ROW}; set local lock_timeout = ${LOCK_TIMEOUT_MS}`;

/**
 * Sums without a lock, and locks a family only if a rate has changed. Families that are locked, or have locked records, stay
 * due for a later pass, so they never delay other families.
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
      let scheduled = 0;
      do {
        const due = await findDueRates(pool, now, window, after);
        const chunk = await updateOrSplit(pool, due);
        changed += chunk.changed;
        scheduled += chunk.scheduled;
        const last = due.length < RATES_OF_CHUNK ? undefined : due.at(-1);
        after = last?.cursor ?? START;
        if (last === undefined && scheduled === 0) break;
        if (last === undefined) scheduled = 0;
      } while (performance.now() < deadline);
      return changed;
    },
  };
}

interface Updated {
  readonly changed: number;
  readonly scheduled: number;
}

/** Updates all rates in one transaction or, if that times out on a lock, in one transaction per family. */
async function updateOrSplit(pool: pg.Pool, due: readonly DueRate[]): Promise<Updated> {
  const nothing: Updated = { changed: 0, scheduled: 0 };
  if (due.length === 0) return nothing;
  const whole = await nullIfBusy(() => inTransaction(pool, BEGIN, (client) => updateRates(client, due)));
  if (whole !== null) return whole;
  const families = Map.groupBy(due, familyNumber);
  let sum = nothing;
  for (const rates of families.values()) {
    const part = await nullIfBusy(() => inTransaction(pool, BEGIN, (client) => updateRates(client, rates)));
    if (part !== null) {
      sum = { changed: sum.changed + part.changed, scheduled: sum.scheduled + part.scheduled };
    }
  }
  return sum;
}

async function updateRates(client: pg.ClientBase, due: readonly DueRate[]): Promise<Updated> {
  const differing = due.filter(({ isChanged }) => isChanged);
  const isLocked = differing.length === 0 ? () => false : await lockFreeFamilies(client, differing);
  const current = await lockUnchanged(
    client,
    due.filter((rate) => !rate.isChanged || isLocked(rate)),
  );
  const changed = await storeRates(
    client,
    current.filter(({ isChanged }) => isChanged),
  );
  await run(client, SCHEDULE, [
    current.map(({ recordId }) => recordId),
    current.map(({ dueAt }) => new Date(dueAt).toISOString()),
  ]);
  return { changed, scheduled: current.length };
}

/** Locks the rates that have no new reports since they were summed. The others stay due. */
async function lockUnchanged(client: pg.ClientBase, due: readonly DueRate[]): Promise<readonly DueRate[]> {
  const rows = await run(client, LOCK_RATES, [due.map(({ recordId }) => recordId)]);
  const changes = new Map(
    rows.map((row) => LOCKED.read(row)).map(({ recordId, changes: counted }) => [recordId, counted]),
  );
  return due.filter((rate) => changes.get(rate.recordId) === rate.changes);
}

async function storeRates(client: pg.ClientBase, rates: readonly DueRate[]): Promise<number> {
  if (rates.length === 0) return 0;
  const [row] = await run(client, STORE_RATES, [
    rates.map(({ recordId }) => recordId),
    rates.map(({ rate }) => rate),
  ]);
  return row === undefined ? 0 : numberAt(row, 0);
}
