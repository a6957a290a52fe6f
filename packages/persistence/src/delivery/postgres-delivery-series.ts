import type { DeliveryBucket, DeliverySeries } from '@plugin-config/domain';
import { clampMoment } from '../log/pages/clamp-moment.ts';
import { columns } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { run, type Statement } from '../postgres/statement.ts';

const BUCKET = columns((row): DeliveryBucket => ({
  start: row.date('b.start'),
  successes: row.number('b.successes'),
  successesOnRetry: row.number('b.successes_on_retry'),
  failures: row.number('b.failures'),
}));

const OWN = `exists (select from config_record r where r.id = $1 and r.project_id = $2 and r.family = $3)`;

/** Looks up each minute separately, 1,500 at most. The `offset` keeps the planner from reading other records. */
export const READ_MINUTES: Statement = {
  name: 'read_delivery_minutes',
  text: `select ${BUCKET.sql}
  from generate_series($4::timestamptz, $5::timestamptz - interval '1 minute', interval '1 minute') asked (minute)
  cross join lateral (
    select m.minute as start, m.successes, m.successes_on_retry, m.failures
    from delivery_minute m where m.minute = asked.minute and m.record_id = $1 offset 0
  ) b
  where ${OWN}
  order by b.start`,
};

/** Unnamed to plan each range separately, which locks only the partitions of its days. */
export const READ_SPANS: Statement = {
  name: '',
  text: `select ${BUCKET.sql}
  from (
    select date_trunc($6, s.span, 'UTC') as start, sum(s.successes) as successes,
      sum(s.successes_on_retry) as successes_on_retry, sum(s.failures) as failures
    from delivery_sum s
    where s.record_id = $1 and s.span >= $4::timestamptz and s.span < $5::timestamptz and ${OWN}
    group by 1
  ) b
  order by b.start`,
};

export function postgresDeliverySeries({ pool }: Pick<Database, 'pool'>): DeliverySeries {
  return {
    read: async ({ projectId, family, id }, { granularity, from, to }) => {
      const bounds = [from, to].map((time) => new Date(clampMoment(time)).toISOString());
      const parameters = [id, projectId, family, ...bounds];
      const rows = await (granularity === 'minute'
        ? run(pool, READ_MINUTES, parameters)
        : run(pool, READ_SPANS, [...parameters, granularity]));
      return rows.map((row) => BUCKET.read(row));
    },
  };
}
