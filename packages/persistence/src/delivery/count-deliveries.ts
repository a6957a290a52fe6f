import { spanOf, type DeliveryMessage } from '@plugin-config/domain';
import type pg from 'pg';
import { ADVISORY_LOCKS } from '../advisory-locks.ts';
import { textAt } from '../cells.ts';
import { run, type Statement } from '../statement.ts';

/** How many locks there are: an id belongs to one of them. */
const BUCKETS = 64;

/**
 * A unique index cannot tell that two transactions report one id for different days, since each day has an index of its
 * own. So batches whose ids share a bucket count one after the other.
 */
const LOCK_IDS: Statement = {
  name: 'lock_delivery_ids',
  text: `select pg_advisory_xact_lock(${ADVISORY_LOCKS.deliveryIds}, bucket) from unnest($1::integer[]) bucket`,
};

/** An id counts once, whatever day its report is of. */
const REMEMBER: Statement = {
  name: 'remember_delivery_reports',
  text: `insert into delivery_report (day, id)
  select t.day, t.id
  from unnest($1::date[], $2::uuid[]) t (day, id)
  left join lateral (select r.day from delivery_report r where r.id = t.id limit 1) known on true
  where known.day is null
  on conflict do nothing
  returning id`,
};

const ADD_UP: Statement = {
  name: 'add_up_deliveries',
  text: `insert into delivery_sum as s (record_id, span, successes, successes_on_retry, failures)
  select * from unnest($1::bigint[], $2::timestamptz[], $3::bigint[], $4::bigint[], $5::bigint[])
  on conflict (record_id, span) do update set
    successes = s.successes + excluded.successes,
    successes_on_retry = s.successes_on_retry + excluded.successes_on_retry,
    failures = s.failures + excluded.failures`,
};

/** Adds up the reports whose id was not counted yet, and answers them. */
export async function countDeliveries(
  client: pg.ClientBase,
  messages: readonly DeliveryMessage[],
): Promise<readonly DeliveryMessage[]> {
  if (messages.length === 0) return [];
  const reports = [...onceEach(messages).values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  await run(client, LOCK_IDS, [bucketsOf(reports)]);
  const rows = await run(client, REMEMBER, [
    reports.map(({ timestamp }) => new Date(timestamp).toISOString()),
    reports.map(({ id }) => id),
  ]);
  const ids = new Set(rows.map((row) => textAt(row, 0)));
  const counted = reports.filter(({ id }) => ids.has(id));
  if (counted.length > 0) await addUp(client, counted);
  return counted;
}

/** In the order that every batch locks them in. */
function bucketsOf(reports: readonly DeliveryMessage[]): readonly number[] {
  const buckets = new Set(reports.map(({ id }) => Number.parseInt(id.slice(-2), 16) % BUCKETS));
  return [...buckets].toSorted((a, b) => a - b);
}

function onceEach(messages: readonly DeliveryMessage[]): ReadonlyMap<string, DeliveryMessage> {
  const reports = new Map<string, DeliveryMessage>();
  for (const message of messages) if (!reports.has(message.id)) reports.set(message.id, message);
  return reports;
}

async function addUp(client: pg.ClientBase, reports: readonly DeliveryMessage[]): Promise<void> {
  const sums = sumsOf(reports);
  await run(client, ADD_UP, [
    sums.map(({ recordId }) => recordId),
    sums.map(({ span }) => new Date(span).toISOString()),
    sums.map(({ successes }) => successes),
    sums.map(({ successesOnRetry }) => successesOnRetry),
    sums.map(({ failures }) => failures),
  ]);
}

interface Sum {
  readonly recordId: number;
  readonly span: number;
  readonly successes: number;
  readonly successesOnRetry: number;
  readonly failures: number;
}

/** By record and span, in that order. */
function sumsOf(reports: readonly DeliveryMessage[]): readonly Sum[] {
  const sums = new Map<string, Sum>();
  for (const { recordId, timestamp, successes, successesOnRetry, failures } of reports) {
    const span = spanOf(timestamp);
    const key = `${recordId} ${span}`;
    const sum = sums.get(key) ?? { successes: 0, successesOnRetry: 0, failures: 0 };
    sums.set(key, {
      recordId,
      span,
      successes: sum.successes + successes,
      successesOnRetry: sum.successesOnRetry + successesOnRetry,
      failures: sum.failures + failures,
    });
  }
  return [...sums.values()].toSorted((a, b) => a.recordId - b.recordId || a.span - b.span);
}
