import {
  failingRuntimes,
  isOfFamily,
  mayBeBehind,
  runtimeVersions,
  SERVICE,
  versionIfSendable,
  windowStart,
  type Alert,
  type AlertEvaluation,
  type AlertEvaluations,
  type ClosingReason,
  type FailingRuntimes,
  type RuntimeHealth,
  type RuntimeVersions,
} from '@plugin-config/domain';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { columns } from '../postgres/columns.ts';
import { prepared, run } from '../postgres/statement.ts';
import { isTimeout } from '../postgres/translate-error.ts';
import { perTimeline } from '../postgres/timeline.ts';
import { postgresRuntimeConfigurations } from '../runtime/postgres-runtime-configurations.ts';
import { CURRENCY, runtimesOf } from '../runtime/runtimes-of.ts';
import { ALERT } from './alert-columns.ts';
import { readFamilies, readSamples, type ReadRecord } from './read-samples.ts';
import { recordsOfAlert } from './records-of-alert.ts';
import { countOthers, storeTransitions, type Claim } from './store-transitions.ts';

const EVALUATED = columns((row) => ({
  alert: row.all(ALERT),
  closing: row.textOrNull('a.closing') as ClosingReason | null,
}));

const ALERTS_TO_EVALUATE = prepared('alerts_to_evaluate')`select ${EVALUATED.sql} from alert a
  where a.project_id = $1 and (a.enabled or a.closing is not null) order by a.id`;

const IS_SAME = 'project_id = $1 and id = $2 and version = $3';

const FINISH = prepared('finish_alert_evaluation')`update alert set evaluated_at = $4 where ${IS_SAME}`;

const START_OVER = prepared('start_alert_over')`update alert set closing = null where ${IS_SAME}`;

const DELETE = prepared('delete_closed_alert')`delete from alert where ${IS_SAME}`;

const RUNTIME = columns((row) => ({
  projectId: row.number('n.id'),
  ...row.all(CURRENCY),
  versionSince: row.date('t.version_since'),
  lastSeenAt: row.date('t.last_seen_at'),
  failed: row.numbers('t.failed_ids'),
}));

const RUNTIMES_OF_FAMILIES = prepared('runtimes_of_families')`select ${RUNTIME.sql}
  from unnest($1::bigint[]) n (id)
  cross join lateral (select * from ${runtimesOf('n.id')} t where t.family = $2) t`;

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
  const failing = new Map<number, FailingRuntimes>();
  const readFailing = async (records: readonly ReadRecord[]): Promise<void> => {
    const moment = { start: windowStart(alert, at), end: at };
    for (const [ofProject, runtimes] of await readRuntimes(database, alert, records, failing)) {
      const own = records.filter((record) => record.projectId === ofProject);
      const ref = { projectId: ofProject, family };
      const current = mayBeBehind(runtimes, own, moment)
        ? await versionIfSendable(() => versions.current(ref))
        : null;
      failing.set(ofProject, failingRuntimes(runtimes, { current, ...moment }));
    }
  };
  return {
    ...claim,
    chunks: async (after) => recordsOfAlert(pool, claim, after),
    read: async (recordIds) => {
      if (isOfFamily(alert.signal)) return readFamilies(pool, alert, { recordIds, at });
      const records = await readSamples(pool, alert, { recordIds, at }).catch((error: unknown) => {
        if (!isTimeout(error)) throw error;
        if (recordIds.length > 1) return null;
        if (alert.projectId === SERVICE) return [];
        throw error;
      });
      if (records === null || alert.signal !== 'runtime') return records;
      await readFailing(records);
      return records.map(({ projectId: ofProject, ...record }) => {
        const count = failing.get(ofProject)?.({ id: record.recordId, updatedAt: record.updatedAt }) ?? 0;
        return { ...record, sample: { count, successes: 0 } };
      });
    },
    store: (transitions) => storeTransitions(database, claim, transitions),
    finish: async () => {
      await countOthers(pool, claim);
      const parameters = [projectId, id, alert.version];
      if (closing === null) await run(pool, FINISH, [...parameters, at.toISOString()]);
      else await run(pool, closing === 'deleted' ? DELETE : START_OVER, parameters);
    },
  };
}

/** Reads the runtimes of the projects of these records, unless already read. */
async function readRuntimes(
  { pool }: Pick<Evaluating, 'pool'>,
  { family }: Alert,
  records: readonly ReadRecord[],
  known: ReadonlyMap<number, unknown>,
): Promise<ReadonlyMap<number, readonly RuntimeHealth[]>> {
  const ids = [...new Set(records.map(({ projectId }) => projectId))].filter((id) => !known.has(id));
  const runtimes = new Map<number, RuntimeHealth[]>(ids.map((id) => [id, []]));
  for (const row of ids.length === 0 ? [] : await run(pool, RUNTIMES_OF_FAMILIES, [ids, family])) {
    const { projectId, failed, ...runtime } = RUNTIME.read(row);
    runtimes.get(projectId)?.push({ ...runtime, failed: new Set(failed) });
  }
  return runtimes;
}
