import {
  payloadOf,
  TEST_EVENT,
  webhookDisabled,
  type Delivery,
  type DeliveryStore,
} from '@plugin-config/domain';
import { columns } from '../postgres/columns.ts';
import type { StoreDatabase } from '../postgres/database.ts';
import { readPage } from '../postgres/read-page.ts';
import { run, type Parameter, type Statement } from '../postgres/statement.ts';
import { DELIVERY } from './webhook-columns.ts';

/** The deliveries of a webhook that exists. Those of a deleted webhook are kept until their retention ends. */
const OF_WEBHOOK = `from webhook_delivery o
    where o.project_id = $1 and o.webhook_id = $2
      and exists (select from webhook w where w.project_id = $1 and w.id = $2)`;

const LISTED = columns((row) => ({
  item: row.allOrNull(DELIVERY),
  count: row.number(`(select count(*) ${OF_WEBHOOK})`),
}));

export const DELIVERY_PAGE: Statement = {
  name: 'page_of_deliveries',
  text: `select ${LISTED.sql}
  from (select) one
  left join (select o.* ${OF_WEBHOOK} order by o.number desc limit $3 offset $4) d on true
  order by d.number desc`,
};

const QUEUED = columns((row) => ({
  isEnabled: row.flag('t.enabled'),
  delivery: row.allOrNull(DELIVERY),
}));

/** Locks the webhook, like every statement that queues deliveries. */
const LOCKED = `target as materialized (
    select w.id, w.enabled from webhook w where w.project_id = $1 and w.id = $2 for no key update
  )`;

const RETURNED = `woken as (
    update webhook w set due_at = least(w.due_at, statement_timestamp())
    where w.id = any (array(select q.webhook_id from queued q))
  )
  select ${QUEUED.sql} from target t left join queued d on true`;

const RESEND: Statement = {
  name: 'resend_delivery',
  text: `with ${LOCKED},
  queued as (
    update webhook_delivery d set state = 'pending', attempts = 0, due_at = statement_timestamp(), finished_at = null
    from target t where t.enabled and d.project_id = $1 and d.webhook_id = t.id and d.id = $3
    returning d.*
  ),
  ${RETURNED}`,
};

const TEST: Statement = {
  name: 'queue_test_delivery',
  text: `with ${LOCKED},
  queued as (
    insert into webhook_delivery (project_id, webhook_id, event_key, type, payload, created_at, due_at)
    select $1, t.id, 'test ' || gen_random_uuid(), '${TEST_EVENT}', $3, statement_timestamp(), statement_timestamp()
    from target t where t.enabled
    returning *
  ),
  ${RETURNED}`,
};

export function postgresDeliveryStore({ pool }: Pick<StoreDatabase, 'pool'>): DeliveryStore {
  const queue = async (statement: Statement, parameters: readonly Parameter[]): Promise<Delivery | null> => {
    const [row] = await run(pool, statement, parameters);
    if (row === undefined) return null;
    const { isEnabled, delivery } = QUEUED.read(row);
    if (!isEnabled) throw webhookDisabled();
    return delivery;
  };
  return {
    page: (projectId, webhookId, { limit, offset }) =>
      readPage(pool, { statement: DELIVERY_PAGE, listed: LISTED }, [projectId, webhookId, limit, offset]),

    resend: (projectId, webhookId, id) => queue(RESEND, [projectId, webhookId, id]),

    test: (projectId, webhookId, { at, actor }) => {
      const sentBy = { key_id: actor.keyId, label: actor.label };
      const payload = payloadOf(TEST_EVENT, at, {
        project_id: projectId,
        webhook_id: webhookId,
        actor: sentBy,
      });
      return queue(TEST, [projectId, webhookId, payload]);
    },
  };
}
