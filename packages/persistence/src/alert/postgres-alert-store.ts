import {
  ALERTS_MAX,
  checkPrecondition,
  isSameRule,
  tooManyAlerts,
  type Alert,
  type AlertStore,
  type AuditAction,
  type Author,
  type IncidentReason,
} from '@plugin-config/domain';
import type pg from 'pg';
import { insertAudit } from '../audit/insert-audit.ts';
import { createOnce } from '../idempotency/create-once.ts';
import { columns } from '../postgres/columns.ts';
import type { StoreDatabase } from '../postgres/database.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { readPage } from '../postgres/read-page.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { ALERT, RULE, ruleValues } from './alert-columns.ts';
import { requireRecord } from './require-record.ts';
import { closeIncidentsOf } from './write-incidents.ts';

const LISTED = columns((row) => ({
  item: row.allOrNull(ALERT),
  count: row.number('(select count(*) from alert c where c.project_id = $1)'),
}));

const ALERT_PAGE: Statement = {
  name: 'page_of_alerts',
  text: `select ${LISTED.sql}
  from (select) one
  left join (select * from alert o where o.project_id = $1 order by o.id limit $2 offset $3) a on true
  order by a.id`,
};

const FIND_ALERT: Statement = {
  name: 'find_alert',
  text: `select ${ALERT.sql} from alert a where a.project_id = $1 and a.id = $2`,
};

/** Also locks the project, which makes its deletion wait for the end of the transaction. */
const LOCK_ALERT: Statement = {
  name: 'lock_alert',
  text: `select ${ALERT.sql} from alert a join project p on p.id = a.project_id
  where a.project_id = $1 and a.id = $2
  for update of a for key share of p`,
};

const RULE_PARAMETERS = RULE.map((_, i) => `$${i + 3}`);

const INSERT_ALERT: Statement = {
  name: 'insert_alert',
  text: `insert into alert as a (project_id, created_at, updated_at, due_at, version, ${RULE.join(', ')})
  select $1, $2, $2, $2, 1, ${RULE_PARAMETERS.join(', ')}
  where (select count(*) from alert c where c.project_id = $1) < ${ALERTS_MAX}
  returning ${ALERT.sql}`,
};

const UPDATE_ALERT: Statement = {
  name: 'update_alert',
  text: `update alert a set ${RULE.map((name, i) => `${name} = $${i + 3}`).join(', ')}, version = a.version + 1,
    updated_at = greatest(a.updated_at, $2), due_at = $2
  where a.id = $1
  returning ${ALERT.sql}`,
};

const DELETE_ALERT: Statement = { name: 'delete_alert', text: 'delete from alert where id = $1' };

const DELETE_STATES: Statement = {
  name: 'delete_alert_states',
  text: 'delete from alert_state where alert_id = $1',
};

export function postgresAlertStore({ pool }: Pick<StoreDatabase, 'pool'>): AlertStore {
  return {
    page: (projectId, { limit, offset }) =>
      readPage(pool, { statement: ALERT_PAGE, listed: LISTED }, [projectId, limit, offset]),

    find: (projectId, id) => readAlert(pool, FIND_ALERT, projectId, id),

    create: (projectId, rule, author, key) =>
      inTransaction(pool, 'begin', (client) =>
        createOnce<Alert>(client, {
          projectId,
          actor: author.actor,
          key,
          find: (id) => readAlert(client, FIND_ALERT, projectId, id),
          create: async () => {
            await requireRecord(client, projectId, rule);
            const parameters = [projectId, author.at.toISOString(), ...ruleValues(rule)];
            const [row] = await run(client, INSERT_ALERT, parameters);
            if (row === undefined) throw tooManyAlerts();
            const value = ALERT.read(row);
            await addAudit(client, author, 'alert_created', value);
            return { id: value.id, value };
          },
        }),
      ),

    change: (projectId, id, precondition, decide, author) =>
      inTransaction(pool, 'begin', async (client) => {
        const alert = await readAlert(client, LOCK_ALERT, projectId, id);
        if (alert === null) return null;
        checkPrecondition(precondition, alert.version);
        const rule = decide(alert);
        if (isSameRule(rule, alert)) return alert;
        await requireRecord(client, projectId, rule);
        await forgetStates(client, alert, 'changed', author);
        const [row] = await run(client, UPDATE_ALERT, [id, author.at.toISOString(), ...ruleValues(rule)]);
        const changed = row === undefined ? alert : ALERT.read(row);
        await addAudit(client, author, 'alert_changed', changed);
        return changed;
      }),

    delete: (projectId, id, precondition, author) =>
      inTransaction(pool, 'begin', async (client) => {
        const alert = await readAlert(client, LOCK_ALERT, projectId, id);
        if (alert === null) return false;
        checkPrecondition(precondition, alert.version);
        await forgetStates(client, alert, 'deleted', author);
        await run(client, DELETE_ALERT, [id]);
        await addAudit(client, author, 'alert_deleted', alert);
        return true;
      }),
  };
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

/** Closes the open incidents of an alert, whose evaluation starts over. */
async function forgetStates(
  client: pg.ClientBase,
  alert: Alert,
  reason: IncidentReason,
  { at }: Author,
): Promise<void> {
  await run(client, DELETE_STATES, [alert.id]);
  await closeIncidentsOf(client, alert, { reason, at });
}

function addAudit(
  client: pg.ClientBase,
  author: Author,
  action: AuditAction,
  { id, name, projectId }: Alert,
): Promise<void> {
  return insertAudit(client, author, action, { type: 'alert', id, name, projectId });
}
