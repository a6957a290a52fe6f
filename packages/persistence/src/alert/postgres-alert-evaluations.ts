import {
  DomainError,
  failingRuntimes,
  isOfFamily,
  runtimeVersions,
  windowStart,
  type Alert,
  type AlertEvaluation,
  type AlertEvaluations,
  type ClosingReason,
  type RuntimeHealth,
  type RuntimeVersions,
} from '@plugin-config/domain';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { ADVISORY_LOCK } from '../postgres/advisory-locks.ts';
import { columns } from '../postgres/columns.ts';
import { exclusively } from '../postgres/exclusively.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { isTimeout } from '../postgres/translate-error.ts';
import { perTimeline } from '../postgres/timeline.ts';
import { postgresRuntimeConfigurations } from '../runtime/postgres-runtime-configurations.ts';
import { ALERT, NO_RECORD } from './alert-columns.ts';
import { readFamily, readSamples } from './read-samples.ts';
import { storeTransitions, type Claim } from './store-transitions.ts';

const CHUNK = 1000;

const CLAIMED = columns((row) => ({
  alert: row.all(ALERT),
  closing: row.textOrNull('a.closing') as ClosingReason | null,
  dueAt: row.text('a.due_at'),
}));

/**
 * Claims, for each project, the alert that has been due longest. It is due again a minute after it was due or, if that is in the
 * past, a minute from now. An alert that is due even later was claimed while the clock was ahead.
 */
const CLAIM_ALERTS: Statement = {
  name: 'claim_alerts',
  text: `with turn as materialized (
    select distinct on (a.project_id) a.id, a.due_at from alert a
    where (a.enabled or a.closing is not null) and (a.due_at <= $1::timestamptz or a.due_at > $1::timestamptz + interval '1 minute')
      and a.project_id <> all ($2::bigint[])
      and exists (select from project p where p.id = a.project_id)
    order by a.project_id, a.due_at, a.id
  )
  update alert a set due_at = interval '1 minute' + case
    when a.due_at > $1::timestamptz - interval '1 minute' and a.due_at <= $1::timestamptz then a.due_at
    else $1::timestamptz
  end
  from turn t
  where a.id = t.id and a.due_at = t.due_at
  returning ${CLAIMED.sql}`,
};

const IDS = columns((row) => row.text('array_agg(n.id order by n.id)'));

/** Selects the records with a state and, unless $4, the enabled ones, in chunks, which are parsed one by one. */
const RECORDS_OF_ALERT: Statement = {
  name: 'records_of_alert',
  text: `select ${IDS.sql}
  from (
    select o.id, (row_number() over (order by o.id) - 1) / ${CHUNK} as chunk
    from (
      select r.id from config_record r
      where r.project_id = $1 and r.family = $2 and r.enabled and not r.deleted and not $4::boolean
      union
      select s.record_id from alert_state s where s.alert_id = $3
    ) o
  ) n
  group by n.chunk order by n.chunk`,
};

const IS_CLAIMED = 'project_id = $1 and id = $2 and due_at = $3::timestamptz';

const FINISH: Statement = {
  name: 'finish_alert_evaluation',
  text: `update alert set evaluated_at = $4 where ${IS_CLAIMED}`,
};

const START_OVER: Statement = {
  name: 'start_alert_over',
  text: `update alert set closing = null, due_at = $4 where ${IS_CLAIMED}`,
};

const DELETE: Statement = {
  name: 'delete_closed_alert',
  text: `delete from alert where ${IS_CLAIMED}`,
};

const RUNTIME = columns((row) => ({
  version: row.text('t.version'),
  versionSince: row.date('t.version_since'),
  lastSeenAt: row.date('t.last_seen_at'),
  failed: row.numbers('t.failed_ids'),
}));

const RUNTIMES_OF_FAMILY: Statement = {
  name: 'runtimes_of_family',
  text: `select ${RUNTIME.sql} from runtime_instance t where t.project_id = $1 and t.family = $2`,
};

type Evaluating = Pick<EncryptedDatabase, 'pool' | 'primary' | 'configurations'>;

/**
 * Reads without locks. Stores only while the alert has the version and the due time of its claim, so an evaluation that is
 * continued after another process has claimed the alert stores nothing.
 */
export function postgresAlertEvaluations(database: Evaluating): AlertEvaluations {
  const { pool, primary } = database;
  const configurations = postgresRuntimeConfigurations(database);
  const versionsOf = perTimeline(() => runtimeVersions({ configurations }));
  return {
    exclusively: async (work) => void (await exclusively(pool, ADVISORY_LOCK.alerts, work)),
    claim: async (exceptProjects, at) => {
      const rows = await run(pool, CLAIM_ALERTS, [at.toISOString(), exceptProjects]);
      const versions = versionsOf(primary.timeline);
      return rows.map((row) => evaluation({ ...database, versions }, { ...CLAIMED.read(row), at }));
    },
  };
}

function evaluation(
  { versions, ...database }: Evaluating & { readonly versions: RuntimeVersions },
  claim: Claim,
): AlertEvaluation {
  const { pool } = database;
  const { alert, at, closing, dueAt } = claim;
  const { projectId, family, id } = alert;
  let failing: ReturnType<typeof failingRuntimes> | undefined;
  const readFailing = async (): Promise<ReturnType<typeof failingRuntimes>> =>
    failingRuntimes(await readRuntimes(database, alert), {
      current: await currentVersion(versions, claim),
      start: windowStart(alert, at),
      end: at,
    });
  return {
    ...claim,
    chunks: async () => {
      if (isOfFamily(alert.signal)) return [[NO_RECORD]];
      if (alert.recordId !== null && closing === null) return [[alert.recordId]];
      const rows = await run(pool, RECORDS_OF_ALERT, [projectId, family, id, closing !== null]);
      return rows.values().map((row) => IDS.read(row).slice(1, -1).split(',').map(Number));
    },
    read: async (recordIds) => {
      if (isOfFamily(alert.signal)) return [await readFamily(pool, alert, at)];
      const records = await readSamples(pool, alert, { recordIds, at }).catch((error: unknown) => {
        if (isTimeout(error) && recordIds.length > 1) return null;
        throw error;
      });
      if (records === null || alert.signal !== 'runtime') return records;
      const count = (failing ??= await readFailing());
      return records.map((record) => ({
        ...record,
        sample: { count: count({ id: record.recordId, updatedAt: record.updatedAt }), successes: 0 },
      }));
    },
    store: (transitions) => storeTransitions(database, claim, transitions),
    finish: async () => {
      const parameters = [projectId, id, dueAt];
      if (closing === 'deleted') await run(pool, DELETE, parameters);
      else await run(pool, closing === null ? FINISH : START_OVER, [...parameters, at.toISOString()]);
    },
  };
}

async function readRuntimes(
  { pool }: Pick<Evaluating, 'pool'>,
  { projectId, family }: Alert,
): Promise<readonly RuntimeHealth[]> {
  const rows = await run(pool, RUNTIMES_OF_FAMILY, [projectId, family]);
  return rows.map((row) => {
    const { failed, ...runtime } = RUNTIME.read(row);
    return { ...runtime, failed: new Set(failed) };
  });
}

/** Returns null if the family is too large for runtimes, which then get no new version. */
async function currentVersion(versions: RuntimeVersions, { alert }: Claim): Promise<string | null> {
  try {
    return (await versions.current(alert)).version;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'content_too_large') return null;
    throw error;
  }
}
