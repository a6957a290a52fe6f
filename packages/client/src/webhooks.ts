import type { Call, ChangeOptions, ReadOptions, RequestOptions, WriteOptions } from './calls/call.ts';
import { listing, type Listing } from './calls/listing.ts';
import type {
  NewWebhook,
  PageQuery,
  Webhook,
  WebhookChange,
  WebhookDelivery,
  WebhookWithSecret,
} from './wire.ts';

const ALL = '/api/projects/:project_id/webhooks';
const ONE = `${ALL}/:webhook_id` as const;

/** The webhooks of a project. */
export interface Webhooks {
  list(query?: PageQuery, options?: RequestOptions): Listing<Webhook>;
  /** Creates a webhook. Its URL must be unique within the project. Only this response and that of `rotate` contain its secret. */
  create(webhook: NewWebhook, options?: ChangeOptions): Promise<WebhookWithSecret>;
  retrieve(id: number, options?: ReadOptions<Webhook>): Promise<Webhook>;
  /** Changes only the given fields. */
  update(id: number, change: WebhookChange, options?: WriteOptions): Promise<Webhook>;
  delete(id: number, options?: WriteOptions): Promise<void>;
  /** Replaces the secret. Deliveries are also signed with the old one for 24 hours. */
  rotate(id: number, options?: ChangeOptions): Promise<WebhookWithSecret>;
  /** Queues a delivery of the type `webhook.test`. */
  test(id: number, options?: ChangeOptions): Promise<WebhookDelivery>;
  /** Lists the deliveries of the last 30 days, newest first. */
  deliveries(id: number, query?: PageQuery, options?: RequestOptions): Listing<WebhookDelivery>;
  /** Queues a delivery again, with its id and payload. */
  resend(id: number, deliveryId: string, options?: ChangeOptions): Promise<WebhookDelivery>;
}

/** @internal */
export function projectWebhooks(call: Call, project: number | '@current'): Webhooks {
  const all = { project_id: project };
  const one = (id: number) => ({ ...all, webhook_id: id });
  return {
    list: (query, options) => listing(call, `GET ${ALL}`, { params: all, query }, options),
    create: async (body, options) => call(`POST ${ALL}`, { params: all, body }, options),
    retrieve: async (id, options) => call(`GET ${ONE}`, { params: one(id) }, options),
    update: async (id, body, options) => call(`PATCH ${ONE}`, { params: one(id), body }, options),
    delete: async (id, options) => call(`DELETE ${ONE}`, { params: one(id) }, options),
    rotate: async (id, options) => call(`POST ${ONE}/rotate`, { params: one(id) }, options),
    test: async (id, options) => call(`POST ${ONE}/test`, { params: one(id) }, options),
    deliveries: (id, query, options) =>
      listing(call, `GET ${ONE}/deliveries`, { params: one(id), query }, options),
    resend: async (id, deliveryId, options) =>
      call(
        `POST ${ONE}/deliveries/:delivery_id/resend`,
        { params: { ...one(id), delivery_id: deliveryId } },
        options,
      ),
  };
}
