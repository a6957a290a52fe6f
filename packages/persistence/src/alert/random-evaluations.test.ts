import {
  changeRule,
  ingest,
  updateRecord,
  type Alert,
  type AlertEvaluations,
  type RecordChange,
} from '@plugin-config/domain';
import {
  aFamily,
  anAlert,
  anAuthor,
  anErrorReport,
  aRecord,
  evaluateAt,
  incidentsOf,
  MOMENT,
  secondsLater,
  seededPick,
} from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { propertyRuns, propertyTimeout } from '../../../../tools/property-runs.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { logPortsOf } from '../testing/postgres-log-ports.fixture.ts';

const withEmptied = databaseOfFile();
const STEPS = propertyRuns(60);
const RECORDS = 4;

/** Fails at random calls, as if the worker had been killed there. */
function unreliable(evaluations: AlertEvaluations, isKilled: () => boolean): AlertEvaluations {
  return {
    ofProject: async (task, at) =>
      (await evaluations.ofProject(task, at)).map((evaluation) => ({
        ...evaluation,
        store: async (transitions) => {
          if (isKilled()) throw new Error('Killed before the chunk was stored.');
          const isStored = await evaluation.store(transitions);
          if (isKilled()) throw new Error('Killed after the chunk was stored.');
          return isStored;
        },
      })),
  };
}

test(
  'whatever happens, each incident opens once, is open while the state fires, and closes in the end',
  () =>
    withEmptied(async (database) => {
      const ports = logPortsOf(database);
      const pick = seededPick(20_261_127);
      const family = await aFamily(ports);
      const records = await Promise.all(
        Array.from({ length: RECORDS }, () => aRecord(ports, family, { enabled: true })),
      );
      const rules = [
        { n: 1, m: 1 },
        { n: 2, m: 3 },
        { n: 3, m: 5 },
      ];
      const alerts: Alert[] = [];
      for (const required of rules)
        alerts.push(await anAlert(ports, family, { required, windowMinutes: 1440 }));
      const disabling = await anAlert(ports, family, {
        action: 'disable',
        recordId: records[0]?.id ?? 0,
        windowMinutes: 1440,
      });
      const evaluations = unreliable(ports.evaluations, () => pick(6) === 0);
      let at = MOMENT;

      const change = async (given: RecordChange): Promise<void> => {
        const [chosen] = records.slice(pick(RECORDS));
        const record = chosen && (await ports.records.find(chosen)).value;
        if (record === undefined || record === null) return;
        const command = { record, precondition: null, change: given, author: anAuthor({ at }) };
        await updateRecord({ ...ports, requireRegistered: false }, command);
      };
      const report = async (error: string | null): Promise<void> => {
        const [record] = records.slice(pick(RECORDS));
        if (record !== undefined)
          await ingest(ports, [anErrorReport(record, error, { timestamp: at.getTime() })]);
      };
      const actions = [
        () => report('timed out'),
        () => report('timed out'),
        () => report(null),
        () => change({ enabled: false }),
        () => change({ enabled: true, deleted: false }),
        () => change({ enabled: true, deleted: false }),
        () => change({ deleted: true }),
        async () => {
          const { projectId, id } = alerts[pick(alerts.length)] ?? disabling;
          const changed = (alert: Alert) =>
            changeRule(alert, { name: `${alert.name}.`, windowMinutes: 1439 + pick(2) });
          await ports.alerts.change(projectId, id, null, changed, anAuthor({ at }));
        },
      ];
      for (let step = 0; step < STEPS; step++) {
        for (let n = pick(3); n >= 0; n--) await actions[pick(actions.length)]?.();
        at = secondsLater(60, at);
        await evaluateAt({ ...ports, evaluations }, at);
        const { rows } = await database.pool.query(
          `select from alert_state s full join incident i
            on i.alert_id = s.alert_id and i.record_id = s.record_id and i.closed_at is null
          where (i.id is null or i.closed_at is null) and (i.id is not null) <> coalesce(s.firing, false)`,
        );
        expect([step, rows.length]).toEqual([step, 0]);
      }
      for (const record of records) {
        await ingest(ports, [anErrorReport(record, null, { timestamp: at.getTime() + 1 })]);
      }
      for (let n = 0; n < 6; n++) await evaluateAt(ports, (at = secondsLater(60, at)));
      const incidents = await incidentsOf(ports, family.projectId);
      expect(incidents.length).toBeGreaterThan(STEPS / 10);
      expect(incidents.filter(({ closedAt }) => closedAt === null)).toEqual([]);
      const ofDisabling = incidents.filter(({ alertId }) => alertId === disabling.id);
      expect(new Set(ofDisabling.map(({ reason }) => reason))).toEqual(new Set(['disabled']));
      for (const { projectId, id } of [...alerts, disabling])
        await ports.alerts.delete(projectId, id, null, anAuthor({ at }));
      await evaluateAt(ports, at);
      const { rows: left } = await database.pool.query('select from alert full join alert_state on true');
      expect(left).toEqual([]);
    }),
  propertyTimeout(120_000),
);
