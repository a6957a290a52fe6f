/** The requests of the shop to the plugin service. */

const { PLUGINS_URL = 'http://127.0.0.1:8000', PLUGINS_KEY = '' } = process.env;

/** The plugin that the shop offers to its customers. */
const ORDER_MAIL = {
  name: 'Order mail',
  description: 'Announces each order by mail.',
  checks: true,
  jobs: [{ type: 'replay', name: 'Send again', description: 'Sends the failed mails again.' }],
  config_schema: [
    {
      key: 'to',
      name: 'Send to',
      type: 'string',
      required: true,
      hint: 'An address such as orders@example.com.',
    },
    { key: 'password', name: 'Password of the mail server', type: 'string', secret: true },
  ],
};

export interface User {
  readonly id: string;
  readonly name: string;
  /** The tenant: the external id of its project. */
  readonly company: string;
}

/** Calls the service with the key of the shop, which never leaves this process. */
async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${PLUGINS_URL}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${PLUGINS_KEY}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

interface Webhook {
  readonly id: number;
  readonly url: string;
  readonly secret: string;
}

/** Registers the plugin, and one webhook for all tenants. Returns the secret of the webhook. */
export async function setUp(webhookUrl: string): Promise<string> {
  await call('PUT', '/plugins/slug:order-mail', ORDER_MAIL);
  const { results } = await call<{ readonly results: readonly Webhook[] }>('GET', '/webhooks');
  const earlier = results.find(({ url }) => url === webhookUrl);
  if (earlier !== undefined) return (await call<Webhook>('POST', `/webhooks/${earlier.id}/rotate`)).secret;
  const events = ['record.updated'];
  return (await call<Webhook>('POST', '/webhooks', { name: 'Shop', url: webhookUrl, events })).secret;
}

/** Creates the tenant of a company, with the plugin attached. Safe to repeat up to its last step. */
export async function createTenant(company: string, name: string): Promise<void> {
  await call('PUT', `/projects/ext:${company}`, { name });
  await call('POST', `/projects/ext:${company}/plugin_configs`, {
    plugin: 'slug:order-mail',
    name: 'Order mail',
  });
}

/** Returns a token for the page of a user's company. */
export async function tokenFor({ id, name, company }: User): Promise<{ readonly token: string }> {
  return call('POST', '/tokens', {
    scopes: ['config:write'],
    project_ids: [`ext:${company}`],
    subject: { id, name },
  });
}

/** The address of the service, as the browser reaches it. */
export const pluginsUrl = PLUGINS_URL;
