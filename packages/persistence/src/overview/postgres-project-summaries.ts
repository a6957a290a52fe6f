import type {
  Activity,
  DeliveryWindow,
  EqualRuntimes,
  Family,
  FamilyState,
  Outcomes,
  ProjectSummaries,
  RecentChange,
  RuntimeStatus,
  Subject,
} from '@plugin-config/domain';
import { OVERVIEW_FIELDS_MAX } from '@plugin-config/domain/vocabulary';
import type pg from 'pg';
import { IS_OUTDATED } from '../configuration/plugin-columns.ts';
import { columns } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { actorOf } from '../postgres/with-actor.ts';
import { RECORD_SUBJECT } from '../project/subject-columns.ts';
import { isTimeout } from '../postgres/translate-error.ts';
import { CURRENCY, runtimesOf } from '../runtime/runtimes-of.ts';

/** How long adding up the deliveries of a day may take. A record has up to 144 sums a day. */
const TIMEOUT_MS = 1_000;

/** Unnamed to plan each project separately: no plan suits projects of all sizes. */
const unnamed = (text: string): Statement => ({ name: '', text });

const FAMILY = columns((row): FamilyState => ({
  family: row.text('r.family') as Family,
  enabled: row.number('count(*) filter (where r.enabled)'),
  disabled: row.number('count(*) filter (where not r.enabled)'),
  failing: row.number('count(r.error)'),
  invalid: row.number('count(*) filter (where r.invalid)'),
  outdated: row.number(`count(*) filter (where ${IS_OUTDATED})`),
}));

const READ_FAMILIES = unnamed(
  `select ${FAMILY.sql} from config_record r where r.project_id = $1 and not r.deleted group by r.family`,
);

const RUNTIMES = columns((row): EqualRuntimes => ({
  family: row.text('t.family') as Family,
  ...row.all(CURRENCY),
  status: row.text('t.status') as RuntimeStatus,
  isOnline: row.flag('t.last_seen_at >= $3::timestamptz'),
  count: row.number('count(*)'),
}));

const READ_RUNTIMES = unnamed(
  `select ${RUNTIMES.sql} from ${runtimesOf('$1::bigint')} t
  where t.last_seen_at >= $2::timestamptz
  group by t.family, t.version, t.has_read_all, t.status, t.last_seen_at >= $3::timestamptz`,
);

const COUNT = columns((row) => row.number('count(*)'));

const COUNT_DISABLED_WEBHOOKS = unnamed(
  `select ${COUNT.sql} from webhook w where w.project_id = $1 and w.disabled_reason is not null`,
);

const CHANGED_FIELDS = `array(
    select c ->> 'field' from json_array_elements(a.changes) c limit ${OVERVIEW_FIELDS_MAX}
  )`;

const CHANGE = columns((row): RecentChange => ({
  id: row.number('a.id'),
  recordId: row.number('a.record_id'),
  recordName: row.all(RECORD_SUBJECT).name,
  family: row.text('a.family') as Family,
  activity: row.text('a.activity') as Activity,
  fields: row.texts(CHANGED_FIELDS),
  at: row.date('a.created_at'),
  actor: actorOf({
    actorKeyId: row.numberOrNull('a.actor_key_id'),
    actorLabel: row.text('a.actor_label'),
    actorSubject: row.jsonOrNull('a.actor_subject') as Subject | null,
  }),
}));

/** Selects the last entries of one record. The `between` keeps PostgreSQL from scanning all entries by id. */
const lastOf = (record: string, limit: string): string => `(
    select * from activity e where e.record_id between ${record} and ${record}
    order by e.record_id desc, e.id desc limit ${limit}
  )`;

/** Only the records with the newest changes can have the newest changes of the project. */
const READ_CHANGES = unnamed(
  `with changed as materialized (
    select r.id, r.family from config_record r cross join lateral ${lastOf('r.id', '1')} e
    where r.project_id = $1
    order by e.id desc limit $2::bigint
  )
  select ${CHANGE.sql}
  from (select e.*, c.family from changed c cross join lateral ${lastOf('c.id', '$2::bigint')} e) a
  join config_record r on r.id = a.record_id left join plugin g on g.id = r.plugin
  order by a.id desc limit $2::bigint`,
);

const OUTCOMES = columns((row): Outcomes => ({
  successes: row.number('coalesce(sum(s.successes + s.successes_on_retry), 0)'),
  failures: row.number('coalesce(sum(s.failures), 0)'),
}));

const READ_DELIVERIES = unnamed(
  `select ${OUTCOMES.sql}
  from config_record r join delivery_sum s on s.record_id = r.id
  where r.project_id = $1 and s.span >= $2::timestamptz and s.span <= $3::timestamptz`,
);

export function postgresProjectSummaries({ pool }: Pick<Database, 'pool'>): ProjectSummaries {
  return {
    families: async (projectId) =>
      (await run(pool, READ_FAMILIES, [projectId])).map((row) => FAMILY.read(row)),
    runtimes: async (projectId, since, onlineSince) => {
      const parameters = [projectId, since.toISOString(), onlineSince.toISOString()];
      return (await run(pool, READ_RUNTIMES, parameters)).map((row) => RUNTIMES.read(row));
    },
    disabledWebhooks: async (projectId) => {
      const [row] = await run(pool, COUNT_DISABLED_WEBHOOKS, [projectId]);
      return row === undefined ? 0 : COUNT.read(row);
    },
    changes: async (projectId, limit) =>
      (await run(pool, READ_CHANGES, [projectId, limit])).map((row) => CHANGE.read(row)),
    deliveries: async (projectId, window) => {
      try {
        return await readDeliveries(pool, projectId, window);
      } catch (error) {
        if (isTimeout(error)) return null;
        throw error;
      }
    },
  };
}

function readDeliveries(
  pool: pg.Pool,
  projectId: number,
  { first, last }: DeliveryWindow,
): Promise<Outcomes> {
  const bounds = [first, last].map((span) => new Date(span).toISOString());
  return inTransaction(
    pool,
    `begin read only; set local statement_timeout = ${TIMEOUT_MS}`,
    async (client) => {
      const [row] = await run(client, READ_DELIVERIES, [projectId, ...bounds]);
      return row === undefined ? { successes: 0, failures: 0 } : OUTCOMES.read(row);
    },
  );
}
