import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect } from 'vitest';
import { OPERATIONS, pathOf } from '../testing/mounted-endpoints.ts';
import { test } from '../testing/service.fixture.ts';

/** The methods that Fastify routes. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];
const READ = 'GET, HEAD';
const PATHS = {
  ...Object.fromEntries(
    ['/', '/docs', '/api/schema', '/livez', '/readyz', '/metrics'].map((path) => [path, READ]),
  ),
  ...allowed(),
};

/** The methods of each path of the API. Every other path gets a trailing slash. */
function allowed(): Readonly<Record<string, string>> {
  const paths = Map.groupBy(OPERATIONS, ({ endpoint, ...operation }) =>
    // The same ids for every method.
    pathOf(
      { ...operation, endpoint: { ...endpoint, method: 'GET' } },
      { project: 'ext:acme', record: 1, job: '1' },
    ),
  );
  const methods = [...paths].map(([path, operations], i) => [
    i % 2 === 0 ? path : `${path}/`,
    operations
      .flatMap(({ endpoint: { method } }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
      .toSorted()
      .join(', '),
  ]);
  return Object.fromEntries(methods);
}

test.for(Object.entries(PATHS))('%s only supports %s', async ([path, allow], { service }) => {
  const allowedMethods = allow.split(', ');
  const others = METHODS.filter((method) => !allowedMethods.includes(method));
  for (const method of others) {
    const response = await send(service.url + path, method);
    const detail = `Method "${method}" not allowed.`;
    expect(response).toEqual({
      status: 405,
      allow,
      body:
        method === 'HEAD'
          ? null
          : { type: 'invalid_request', code: 'method_not_allowed', detail, attr: null },
    });
  }
});

test.for([
  '/api',
  '/api/projects/1/plugins',
  '/api/projects/1/plugin_configs/1/log',
  '/api/projects//x/',
  '/api/projects/1/pipeline_transformation_configs/1/logs',
  '/api/projects/1/plugin_configs/rearrange/1',
])('%s is not found with any method', async (path, { service }) => {
  for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS', 'PROPFIND']) {
    expect(await send(service.url + path, method)).toEqual({
      status: 404,
      allow: undefined,
      body: { type: 'invalid_request', code: 'not_found', detail: 'Endpoint not found.', attr: null },
    });
  }
});

async function send(url: string, method: string): Promise<unknown> {
  const sent = request(url, { method, agent: false }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const body = method === 'HEAD' ? null : await json(response);
  response.resume();
  return { status: response.statusCode, allow: response.headers.allow, body };
}
