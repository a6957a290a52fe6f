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
import { columns } from '../postgres/columns.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { isTimeout } from '../postgres/translate-error.ts';
import { perTimeline } from '../postgres/timeline.ts';
import { postgresRuntimeConfigurations } from '../runtime/postgres-runtime-configurations.ts';
import { CURRENCY, runtimesOf } from '../runtime/runtimes-of.ts';
import { ALERT, NO_RECORD } from './alert-columns.ts';
import { readFamily, readSamples } from './read-samples.ts';
import { storeTransitions, type Claim } from './store-transitions.ts';

const CHUNK = 1000;

const EVALUATED = columns((row) => ({
  alert: row.all(ALERT),
  closing: row.textOrNull('a.closing') as ClosingReason | null,
}));

const ALERTS_TO_EVALUATE: Statement = {
  name: 'alerts_to_evaluate',
  text: `select ${EVALUATED.sql} from alert a
  where a.project_id = $1 and (a.enabled or a.closing is not null) order by a.id`,
};

const IDS = columns((row) => row.text('array_agg(n.id order by n.id)'));

/** Selects the records after $5 with a state and, unless $4, the enabled ones, in chunks, which are parsed one by one. */
const RECORDS_OF_ALERT: Statement = {
  name: 'records_of_alert',
  text: `select ${IDS.sql}
  from (
    select o.id, (row_number() over (order by o.id) - 1) / ${CHUNK} as chunk
    from (
      select r.id from config_record r
      where r.project_id = $1 and r.family = $2 and r.enabled and not r.deleted and not $4::boolean and r.id > $5
      union
      select s.record_id from alert_state s where s.alert_id = $3 and s.record_id > $5
    ) o
  ) n
  group by n.chunk order by n.chunk`,
};

const IS_SAME = 'project_id = $1 and id = $2 and version = $3';

const FINISH: Statement = {
  name: 'finish_alert_evaluation',
  text: `update alert set evaluated_at = $4 where ${IS_SAME}`,
};

const START_OVER: Statement = {
  name: 'start_alert_over',
  text: `update alert set closing = null where ${IS_SAME}`,
};

const DELETE: Statement = {
  name: 'delete_closed_alert',
  text: `delete from alert where ${IS_SAME}`,
};

const RUNTIME = columns((row) => ({
  ...row.all(CURRENCY),
  versionSince: row.date('t.version_since'),
  lastSeenAt: row.date('t.last_seen_at'),
  failed: row.numbers('t.failed_ids'),
}));

const RUNTIMES_OF_FAMILY: Statement = {
  name: 'runtimes_of_family',
  text: `select ${RUNTIME.sql} from ${runtimesOf('$1::bigint')} t where t.family = $2`,
};

type Evaluating = Pick<EncryptedDatabase, 'pool' | 'primary' | 'configurations'>;

/** Reads without locks. Stores only while the alert has its version, and the task of the project has its number of claims. */
export function postgresAlertEvaluations(database: Evaluating): AlertEvaluations {
  const { pool, primary } = database;
  const configurations = postgresRuntimeConfigurations(database);
  const versionsOf = perTimeline(() => runtimeVersions({ configurations }));
  return {
    ofProject: async (task, at) => {
      const rows = await run(pool, ALERTS_TO_EVALUATE, [task.projectId]);
      const versions = versionsOf(primary.timeline);
      return rows.flatMap((row) => {
        const { alert, closing } = EVALUATED.read(row);
        const passes = closing === 'changed' && alert.enabled ? [closing, null] : [closing];
        return passes.map((pass) =>
          evaluation({ ...database, versions }, { task, at, alert, closing: pass }),
        );
      });
    },
  };
}

function evaluation(
  { versions, ...database }: Evaluating & { readonly versions: RuntimeVersions },
  claim: Claim,
): AlertEvaluation {
  const { pool } = database;
  const { alert, at, closing } = claim;
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
    chunks: async (after) => {
      if (isOfFamily(alert.signal)) return [[NO_RECORD]];
      if (alert.recordId !== null && closing === null) return [[alert.recordId]];
      const rows = await run(pool, RECORDS_OF_ALERT, [projectId, family, id, closing !== null, after]);
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
      const parameters = [projectId, id, alert.version];
      if (closing === null) await run(pool, FINISH, [...parameters, at.toISOString()]);
      else await run(pool, closing === 'deleted' ? DELETE : START_OVER, parameters);
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
