import { expect, test } from 'vitest';
import { responseCheck } from './response-check.ts';
import { DOCUMENT } from './testing/sample-document.ts';

const check = responseCheck(DOCUMENT);

interface SampleResponse {
  readonly method?: string;
  readonly path?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const THING = { id: 1, name: null };

function violationsOf({
  method = 'GET',
  path = '/things/1',
  status = 200,
  headers = {},
  body,
}: SampleResponse) {
  const head = check({
    method,
    path,
    status,
    headers: new Headers({ etag: '"1"', ...JSON_TYPE, ...headers }),
  });
  return [...head.violations, ...head.checkBody(body ?? JSON.stringify(THING))];
}

test.for<SampleResponse>([
  {},
  { path: '/things/1/' },
  { headers: { age: '12', date: 'today', 'content-encoding': 'br' } },
  { body: '{"id":1,"name":"One"}' },
  { method: 'HEAD', body: '' },
  { status: 304, body: '' },
  { status: 404, body: '{"detail":"Not found."}' },
  { path: '/things', method: 'POST', status: 405, body: '{"detail":"Not allowed."}' },
  { path: '/elsewhere', status: 404, body: '{"detail":"Not found."}' },
  { path: '/page', body: '<html>' },
])('%j follows the document', (response) => {
  expect(violationsOf(response)).toEqual([]);
});

test.for<readonly [string, SampleResponse]>([
  ['the status is not described', { status: 418 }],
  ['the body /id must be <= 9 {"comparison":"<=","limit":9}', { body: '{"id":10,"name":null}' }],
  ['the body /name must be string,null {"type":["string","null"]}', { body: '{"id":1,"name":1}' }],
  ['the body must have required property \'id\' {"missingProperty":"id"}', { body: '{}' }],
  [
    'the body must NOT have additional properties {"additionalProperty":"secret"}',
    { body: '{"id":1,"name":null,"secret":1}' },
  ],
  ['the body is not JSON', { body: '{' }],
  ['a body is not expected', { status: 304, body: 'x' }],
  ['a body is not expected', { method: 'HEAD', body: 'x' }],
  ['the content type "text/html" is not described', { headers: { 'content-type': 'text/html' } }],
  ['the header x-other is not described', { headers: { 'x-other': '1' } }],
  ['the header Age must be integer {"type":"integer"}', { headers: { age: 'old' } }],
  ['the header ETag must match pattern "^"" {"pattern":"^\\""}', { headers: { etag: '1' } }],
  ['the body must have required property \'detail\' {"missingProperty":"detail"}', { status: 404 }],
])('%s', ([violation, response]) => {
  expect(violationsOf(response)).toEqual([`retrieve_thing ${response.status ?? 200}: ${violation}`]);
});

test('reports a missing required header', () => {
  const { violations } = check({ method: 'GET', path: '/things/1', status: 304, headers: new Headers() });
  expect(violations).toEqual(['retrieve_thing 304: the header ETag is missing']);
});

test('requests that the document does not describe get error responses that it describes', () => {
  expect(violationsOf({ method: 'POST', status: 201 })).toEqual([
    'POST /things/1 201: the method is not described',
  ]);
  expect(violationsOf({ path: '/elsewhere', status: 404, body: 'Not found' })).toEqual([
    'GET /elsewhere 404: the body is not JSON',
  ]);
  const page = { status: 404, headers: { 'content-type': 'text/html' }, body: '<p>' };
  expect(violationsOf({ ...page, path: '/elsewhere' })).toEqual([]);
});

test.for<readonly [string, readonly string[]]>([
  [': still here', []],
  ['retry: 1000', []],
  ['id: 7\nevent: thing\ndata: {"id":1,"name":null}', []],
  [
    'event: thing\ndata: {"id":1}',
    ['the data of "thing" must have required property \'name\' {"missingProperty":"name"}'],
  ],
  ['event: thing\ndata: one', ['the data of "thing" is not JSON']],
  ['event: other\ndata: {}', ['the event "other" is not described']],
])('checks each event of a stream: %j', ([event, violations]) => {
  const headers = new Headers({ 'content-type': 'text/event-stream' });
  const { isStream, checkBody } = check({ method: 'GET', path: '/things/stream', status: 200, headers });
  expect([isStream, checkBody(event)]).toEqual([
    true,
    violations.map((violation) => `stream_things 200: ${violation}`),
  ]);
});

test('prefers the path with fewer parameters if two paths match', () => {
  const { name } = check({ method: 'GET', path: '/things/newest', status: 200, headers: new Headers() });
  expect(name).toBe('retrieve_newest 200');
});
