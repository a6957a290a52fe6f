import {
  alertsMaxOf,
  checkPrecondition,
  isSameRule,
  nameTaken,
  projectNotFound,
  SERVICE,
  startsOver,
  tooManyAlerts,
  type Alert,
  type AlertRule,
  type AlertStore,
  type AuditSubject,
} from '@plugin-config/domain';
import type pg from 'pg';
import { insertAudit } from '../audit/insert-audit.ts';
import type { StoreDatabase } from '../postgres/database.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { pageOf } from '../postgres/read-page.ts';
import { prepared, run, type Statement } from '../postgres/statement.ts';
import { ENSURE_TASKS, NEW_TASK } from '../task/postgres-task-queue.ts';
import { lockProject } from '../writing/lock-project.ts';
import { ALERT, RULE, ruleValues } from './alert-columns.ts';
import { requireRecord } from './require-record.ts';

/** Alerts that have not been deleted. The row of a deleted one is kept until its incidents are closed. */
const ofProject = (id: string): string =>
  `alert a where a.project_id = ${id} and a.closing is distinct from 'deleted'`;

const PAGE = pageOf({
  name: 'page_of_alerts',
  item: ALERT,
  from: `${ofProject('$3')} and ($4::integer is null or a.plugin = $4)`,
  order: 'id',
});

const FIND_ALERT = prepared('find_alert')`select ${ALERT.sql} from ${ofProject('$1')} and a.id = $2`;

/** Also locks the project, which makes its deletion wait for the end of the transaction. */
const LOCK_ALERT = prepared('lock_alert')`
  select ${ALERT.sql} from alert a join project p on p.id = a.project_id
  where a.project_id = $1 and a.id = $2 and a.closing is distinct from 'deleted'
  for update of a for key share of p`;

const LOCK_SERVICE_ALERT = prepared('lock_service_alert')`${FIND_ALERT.text} for update`;

const FIND_NAME = prepared('find_alert_name')`select from ${ofProject('$1')} and a.name = $2`;

const INSERT_ALERT = prepared('insert_alert')`
  insert into alert as a (project_id, created_at, updated_at, version, ${RULE.names})
  select $1, $2, $2, 1, ${RULE.parameters(4)}
  where (select count(*) from ${ofProject('$1')}) < $3::integer
  returning ${ALERT.sql}`;

const UPDATE_ALERT = prepared('update_alert')`
  update alert a set ${RULE.assignments(5)}, version = a.version + 1,
    updated_at = greatest(a.updated_at, $3), closing = coalesce($4, a.closing)
  where a.project_id = $1 and a.id = $2
  returning ${ALERT.sql}`;

/** An evaluation deletes the row. */
const DELETE_ALERT = prepared('delete_alert')`
  update alert set closing = 'deleted', version = version + 1 where project_id = $1 and id = $2`;

export function postgresAlertStore({ pool }: Pick<StoreDatabase, 'pool'>): AlertStore {
  return {
    page: (projectId, plugin, page) => PAGE.read(pool, page, [projectId, plugin]),

    find: (projectId, id) => readAlert(pool, FIND_ALERT, projectId, id),

    create: (projectId, rule, author) =>
      inTransaction(pool, 'begin', async (client) => {
        await reserveName(client, projectId, rule);
        await requireRecord(client, projectId, rule);
        const parameters = [projectId, author.at.toISOString(), alertsMaxOf(projectId), ...ruleValues(rule)];
        const [row] = await run(client, INSERT_ALERT, parameters);
        if (row === undefined) throw tooManyAlerts(projectId);
        const alert = ALERT.read(row);
        const task = { kind: 'alerts', projectId, accountId: null, key: projectId, payload: null } as const;
        await run(client, ENSURE_TASKS, NEW_TASK.arrays([task]));
        await insertAudit(client, author, 'alert_created', subjectOf(alert));
        return alert;
      }),

    change: (projectId, id, precondition, decide, author) =>
      inTransaction(pool, 'begin', async (client) => {
        const alert = await lockAlert(client, projectId, id);
        if (alert === null) return null;
        checkPrecondition(precondition, alert.version);
        const rule = decide(alert);
        if (isSameRule(rule, alert)) return alert;
        if (rule.name !== alert.name) await reserveName(client, projectId, rule);
        await requireRecord(client, projectId, rule);
        const closing = startsOver(rule, alert) ? 'changed' : null;
        const parameters = [projectId, id, author.at.toISOString(), closing, ...ruleValues(rule)];
        const [row] = await run(client, UPDATE_ALERT, parameters);
        const changed = row === undefined ? alert : ALERT.read(row);
        await insertAudit(client, author, 'alert_changed', subjectOf(changed));
        return changed;
      }),

    delete: (projectId, id, precondition, author) =>
      inTransaction(pool, 'begin', async (client) => {
        const alert = await lockAlert(client, projectId, id);
        if (alert === null) return false;
        checkPrecondition(precondition, alert.version);
        await run(client, DELETE_ALERT, [projectId, id]);
        await insertAudit(client, author, 'alert_deleted', subjectOf(alert));
        return true;
      }),
  };
}

/** Locks the project, so no other transaction can take the name, or add the last alert. */
async function reserveName(client: pg.ClientBase, projectId: number, { name }: AlertRule): Promise<void> {
  if (!(await lockProject(client, projectId))) throw projectNotFound();
  if ((await run(client, FIND_NAME, [projectId, name])).length > 0) throw nameTaken();
}

function lockAlert(client: pg.ClientBase, projectId: number, id: number): Promise<Alert | null> {
  return readAlert(client, projectId === SERVICE ? LOCK_SERVICE_ALERT : LOCK_ALERT, projectId, id);
}

async function readAlert(
  connection: pg.Pool | pg.ClientBase,
  statement: Statement,
  projectId: number,
  id: number,
): Promise<Alert | null> {
  const [row] = await run(connection, statement, [projectId, id]);
  return row === undefined ? null : ALERT.read(row);
}

function subjectOf({ id, name, projectId }: Alert): AuditSubject {
  return { type: 'alert', id, name, projectId };
}
