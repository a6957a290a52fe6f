import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import { text } from 'node:stream/consumers';
import { settingsPage, settingsScript, signUpPage, STYLES } from './pages.ts';
import { createTenant, pluginsUrl, setUp, tokenFor, type User } from './plugins.ts';
import { verifyWebhook } from './verify-webhook.ts';

// A small product that shows its customers their plugins. It keeps its users in memory.

const PORT = Number(process.env['SHOP_PORT'] ?? 3000);
const CHANGES_MAX = 10;
const BODY_MAX_BYTES = 1_048_576;

/** The users who are signed in, by the cookie of their session. */
const users = new Map<string, User>();
/** The latest changes of each company, newest first. */
const changes = new Map<string, readonly string[]>();
/** In a product with a bundler, this comes from `@plugin-config/client/embed`. */
const mountPlugins = stripTypeScriptTypes(
  readFileSync(new URL('../../packages/client/src/embed/mount-plugins.ts', import.meta.url), 'utf8'),
);
const webhookSecret = await setUp(`http://127.0.0.1:${PORT}/webhook`);

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown;

const ROUTES: Readonly<Record<string, Handle>> = {
  'GET /': (request, response) =>
    send(response, 'text/html', userOf(request) === undefined ? signUpPage : settingsPage),

  'POST /sign-up': async (request, response) => {
    const form = new URLSearchParams(await bodyOf(request));
    const [companyName = '', name = ''] = [form.get('company')?.trim(), form.get('name')?.trim()];
    // Each sign-up gets its own tenant, even if two companies have the same name.
    const company =
      `${companyName.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-') || 'shop'}-${randomUUID().slice(0, 8)}`.replace(
        /^-/,
        '',
      );
    await createTenant(company, companyName);
    const session = randomUUID();
    users.set(session, { id: randomUUID(), name, company });
    response.setHeader('set-cookie', `session=${session}; HttpOnly; SameSite=Lax; Path=/`);
    response.writeHead(303, { location: '/' }).end();
  },

  'GET /settings.js': (request, response) =>
    forUser(request, response, ({ company }) =>
      send(response, 'text/javascript', settingsScript(pluginsUrl, company)),
    ),

  // The tenant comes from the session: a user cannot get a token for another one.
  'POST /plugin-token': (request, response) =>
    forUser(request, response, async (user) =>
      send(response, 'application/json', JSON.stringify(await tokenFor(user))),
    ),

  'GET /changes': (request, response) =>
    forUser(request, response, ({ company }) =>
      send(response, 'application/json', JSON.stringify(changes.get(company) ?? [])),
    ),

  'POST /webhook': async (request, response) => {
    const { type, data } = verifyWebhook(webhookSecret, request.headers, await bodyOf(request));
    const company = data.project?.external_id;
    if (company != null) {
      const who = data.actor?.subject?.name ?? data.actor?.label ?? 'Somebody';
      const change = `${who}: ${data.record?.name ?? ''} (${type})`;
      changes.set(company, [change, ...(changes.get(company) ?? [])].slice(0, CHANGES_MAX));
    }
    response.writeHead(204).end();
  },

  'GET /mount-plugins.js': (_request, response) => send(response, 'text/javascript', mountPlugins),
  'GET /shop.css': (_request, response) => send(response, 'text/css', STYLES),
};

const notFound: Handle = (_request, response) => response.writeHead(404).end();

createServer((request, response) => {
  const handle = ROUTES[`${request.method} ${request.url}`] ?? notFound;
  Promise.try(handle, request, response).catch((error: unknown) => {
    console.error(String(error));
    response.writeHead(500).end();
  });
}).listen(PORT, '127.0.0.1', () => console.log(`The shop: http://localhost:${PORT}`));

function userOf({ headers }: IncomingMessage): User | undefined {
  return users.get(/session=(?<id>[\w-]+)/.exec(headers.cookie ?? '')?.groups?.['id'] ?? '');
}

function forUser(request: IncomingMessage, response: ServerResponse, use: (user: User) => unknown): unknown {
  const user = userOf(request);
  return user === undefined ? response.writeHead(401).end() : use(user);
}

function send(response: ServerResponse, type: string, content: string): void {
  response
    .writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' })
    .end(content);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  if (Number(request.headers['content-length'] ?? Infinity) > BODY_MAX_BYTES)
    throw new Error('The body is too large.');
  return text(request);
}
