import {
  DISPATCHES_MAX,
  payloadOf,
  SERVICE,
  TEST_EVENT,
  tooManyWaiting,
  webhookDisabled,
  type Dispatch,
  type DispatchStore,
} from '@plugin-config/domain';
import type pg from 'pg';
import { columns } from '../postgres/columns.ts';
import type { StoreDatabase } from '../postgres/database.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { pageOf } from '../postgres/read-page.ts';
import { actorColumns, actorOf } from '../postgres/with-actor.ts';
import { prepared, run, type Statement } from '../postgres/statement.ts';
import { OF_WEBHOOK } from './hold-dispatches.ts';
import { DISPATCH } from './webhook-columns.ts';

/** The dispatches of an existing webhook. Dispatches of a deleted webhook are kept until their retention ends. */
export const DISPATCH_PAGE = pageOf({
  name: 'page_of_dispatches',
  item: DISPATCH,
  from: `webhook_dispatch d where d.project_id = $3 and d.webhook_id = $4
    and exists (select from webhook w where w.project_id = $3 and w.id = $4)`,
  order: 'number desc',
});

const LOCKED = columns((row) => ({
  enabled: row.flag('w.enabled'),
  waiting: row.number('waiting_dispatches(w.project_id, w.id)'),
}));

/** Waits for attempts to be settled. */
const LOCK = prepared('lock_webhook_to_queue')`
  select ${LOCKED.sql} from webhook w where w.project_id = $1 and w.id = $2 for no key update`;

/** The task of the query `queued`. */
const ADDED = `added as (
    insert into task (kind, project_id, account_id, key, payload)
    select 'dispatch', w.project_id, w.account_id, dispatch_key(w.id, q.payload), q.number
    from queued q join webhook w on w.id = q.webhook_id order by q.number
  )`;

const AGAIN = `state = 'pending', attempts = 0, due_at = statement_timestamp(), finished_at = null`;

/** Replaces the task of a dispatch that is still pending. */
const RESEND = prepared('resend_dispatch')`with found as materialized (
    select o.number from webhook_dispatch o
    where o.project_id = $1 and o.webhook_id = $2 and o.id = $3 for no key update
  ),
  removed as (
    delete from task t using found f where ${OF_WEBHOOK} and t.payload = f.number::text
  ),
  queued as (
    update webhook_dispatch d set ${AGAIN} where d.number = any (array(select f.number from found f))
    returning d.*
  ),
  ${ADDED}
  select ${DISPATCH.sql} from queued d`;

const QUEUED = columns((row) => row.number('count(*)'));

/** Queues the oldest failed dispatches of a time, up to a number. */
const RECOVER = prepared('recover_dispatches')`with found as materialized (
    select o.number from webhook_dispatch o
    where o.project_id = $1 and o.webhook_id = $2 and o.state = 'failed' and o.created_at >= $3 and o.created_at < $4
    order by o.number limit $5 for no key update
  ),
  queued as (
    update webhook_dispatch d set ${AGAIN} where d.number = any (array(select f.number from found f))
    returning d.*
  ),
  ${ADDED}
  select ${QUEUED.sql} from queued d`;

const TEST = prepared('queue_test_dispatch')`with queued as (
    insert into webhook_dispatch (project_id, webhook_id, event_key, type, payload, created_at, due_at)
    values ($1, $2, 'test ' || gen_random_uuid(), '${TEST_EVENT}', described_event($3, $1, null), statement_timestamp(), statement_timestamp())
    returning *
  ),
  ${ADDED}
  select ${DISPATCH.sql} from queued d`;

export function postgresDispatchStore({ pool }: Pick<StoreDatabase, 'pool'>): DispatchStore {
  /** Queues dispatches of a webhook that has room for them. Returns null if there is no such webhook. */
  const queue = <T>(
    [projectId, webhookId]: readonly [number, number],
    work: (client: pg.ClientBase, room: number) => Promise<T>,
  ): Promise<T | null> =>
    inTransaction(pool, 'begin', async (client) => {
      const [webhook] = await run(client, LOCK, [projectId, webhookId]);
      if (webhook === undefined) return null;
      const { enabled, waiting } = LOCKED.read(webhook);
      if (!enabled) throw webhookDisabled();
      if (waiting >= DISPATCHES_MAX.waiting) throw tooManyWaiting();
      return work(client, DISPATCHES_MAX.waiting - waiting);
    });
  const queueOne = (
    statement: Statement,
    [projectId, webhookId, value]: readonly [number, number, string],
  ): Promise<Dispatch | null> =>
    queue([projectId, webhookId], async (client) => {
      const [row] = await run(client, statement, [projectId, webhookId, value]);
      return row === undefined ? null : DISPATCH.read(row);
    });
  return {
    page: (projectId, webhookId, page) => DISPATCH_PAGE.read(pool, page, [projectId, webhookId]),

    resend: (projectId, webhookId, id) => queueOne(RESEND, [projectId, webhookId, id]),

    recover: (projectId, webhookId, { since, until }) =>
      queue([projectId, webhookId], async (client, room) => {
        const parameters = [projectId, webhookId, since.toISOString(), until.toISOString(), room];
        const [row = []] = await run(client, RECOVER, parameters);
        return QUEUED.read(row);
      }),

    test: (projectId, webhookId, { at, actor }) => {
      const { keyId, label, subject } = actorOf(actorColumns(actor));
      const sentBy = { key_id: keyId, label, ...(subject !== undefined && { subject: { ...subject } }) };
      const payload = payloadOf(TEST_EVENT, at, {
        project_id: projectId === SERVICE ? null : projectId,
        webhook_id: webhookId,
        actor: sentBy,
      });
      return queueOne(TEST, [projectId, webhookId, payload]);
    },
  };
}
