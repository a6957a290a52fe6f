import { once } from 'node:events';
import { METHODS, request, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect } from 'vitest';
import { test } from '../testing/service.fixture.ts';

const PATHS = {
  '/': 'GET, HEAD',
  '/docs': 'GET, HEAD',
  '/api/schema': 'GET, HEAD',
  '/livez': 'GET, HEAD',
  '/readyz': 'GET, HEAD',
  '/metrics': 'GET, HEAD',
  '/api/projects': 'GET, HEAD',
  '/api/projects/1': 'GET, HEAD',
  '/api/projects/1/plugin_configs': 'GET, HEAD, POST',
  '/api/projects/1/plugin_configs/rearrange': 'PATCH',
  '/api/projects/1/plugin_configs/1': 'DELETE, GET, HEAD, PATCH',
  '/api/projects/1/plugin_configs/1/config': 'PUT',
  '/api/projects/1/plugin_configs/1/activity': 'GET, HEAD',
  '/api/projects/1/plugin_configs/1/frontend': 'GET, HEAD',
  '/api/projects/1/plugin_configs/1/job': 'POST',
  '/api/projects/1/plugin_configs/1/jobs/1': 'GET, HEAD',
  '/api/projects/1/plugin_configs/1/logs': 'GET, HEAD',
  '/api/projects/1/pipeline_transformation_configs/rearrange/': 'PATCH',
  '/api/projects/1/pipeline_transformation_configs/1/': 'DELETE, GET, HEAD, PATCH',
} as const;

test.for(Object.entries(PATHS))('%s knows %s and no other method', async ([path, allow], { service }) => {
  const known = allow.split(', ');
  const others = METHODS.filter((method) => !known.includes(method) && method !== 'CONNECT');
  for (const method of others) {
    const answer = await send(service.url + path, method);
    const detail = `Method "${method}" not allowed.`;
    expect(answer).toEqual({
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
])('no method finds %s', async (path, { service }) => {
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
