import { endpoints, type Endpoint } from '@plugin-config/contract';
import { FAMILIES, type Family } from '@plugin-config/domain';
import { familiesOf } from '../endpoints/families-of.ts';
import type { Call } from './caller.ts';

/** An endpoint, for one family if its path has one. */
export interface Operation {
  readonly title: string;
  readonly endpoint: Endpoint;
  readonly family: Family | null;
}

/** All operations, from the endpoint definitions: tests over them include new endpoints automatically. */
export const OPERATIONS: readonly Operation[] = Object.entries<Endpoint>(endpoints).flatMap(
  ([name, endpoint]) =>
    familiesOf(endpoint).map((family) => ({
      title: family === null ? name : `${name} of ${family}`,
      endpoint,
      family,
    })),
);

export interface PathIds {
  readonly project: number | string;
  readonly record: number;
  /** The id of the job and of the log entry. */
  readonly job: string;
  readonly check?: string;
  readonly key?: number;
  readonly trust?: number;
  readonly plugin?: number;
  readonly alert?: number;
  readonly webhook?: number;
  readonly delivery?: string;
}

/** Returns the path with these parameters. */
export function pathOf(
  { endpoint, family }: Operation,
  {
    project,
    record,
    job,
    check = job,
    key = 0,
    trust = 0,
    plugin = 0,
    alert = 0,
    webhook = 0,
    delivery = '',
  }: PathIds,
): string {
  return endpoint.path
    .replace(':project_id', endpoint.operationId === 'put_project' ? externalRef(project) : String(project))
    .replace(':family', family ?? '')
    .replace(/:(id|plugin_config_id)/, String(record))
    .replace(/:(job_id|entry_id)/, job)
    .replace(':check_id', check)
    .replace(':revision', '1')
    .replace(':instance', 'shop-1')
    .replace(':key_id', String(key))
    .replace(':trust_id', String(trust))
    .replace(':plugin_id', String(plugin))
    .replace(':version', endpoint.method === 'PUT' ? '2.3.1' : '0')
    .replace(':alert_id', String(alert))
    .replace(':webhook_id', String(webhook))
    .replace(':delivery_id', delivery);
}

/** Returns the reference to a project that does not exist yet, one for each project. */
const externalRef = (project: number | string): string =>
  typeof project === 'string' ? project : `ext:new-${project}`;

/** The alerts, webhooks and deliveries that requests can address. */
export interface Items {
  readonly alert: number;
  readonly webhook: number;
  readonly delivery: string;
}

/** Creates an alert, and a webhook with a delivery, in the project that `call` is for, or for all projects. */
export async function createItems(call: Call, name = 'Item'): Promise<Items> {
  const rule = { name, family: FAMILIES[0], signal: 'log', threshold: 1, window_minutes: 5 };
  const { body: alert } = await call('POST', '/alerts', { body: rule });
  const url = `https://hooks.example.com/${encodeURIComponent(name)}`;
  const { body: webhook } = await call('POST', '/webhooks', { body: { url, events: ['record.created'] } });
  const { body: delivery } = await call<{ readonly id: string }>('POST', `/webhooks/${webhook.id}/test`);
  return { alert: alert.id, webhook: webhook.id, delivery: delivery.id };
}

/** Whether a path names an alert or a webhook for all projects. */
export const isOfService = (path: string): boolean => /^\/api\/(alerts|webhooks)\b/.test(path);

/** Returns the first example of the body, if there is one; for signing in, the key itself. */
export function exampleBody(
  { endpoint, title }: Operation,
  token: string | null,
): { readonly body?: unknown } {
  if (title === 'beginSession') return { body: { key: token } };
  const [body] = Object.values(endpoint.body?.examples ?? {});
  return body === undefined ? {} : { body };
}
