import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { errorBody } from '@plugin-config/contract';
import { expect } from 'vitest';
import { rawBytes, rawRequest } from '../testing/raw-request.ts';
import { test } from '../testing/service.fixture.ts';

const PARSED = { type: 'invalid_request', attr: null };

test.for([
  ['text that is not HTTP', 'hello\r\n\r\n'],
  ['an unknown method', 'FETCH /livez HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['an unknown version', 'GET /livez HTTP/9.9\r\nHost: x\r\n\r\n'],
  ['a header without a colon', 'GET /livez HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n'],
  ['a header with a control character', 'GET /livez HTTP/1.1\r\nHost: x\r\nA: \x01\r\n\r\n'],
  ['two lengths', 'POST /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
  [
    'both a length and chunks',
    'POST /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\na',
  ],
  ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
] as const)('%s is rejected as malformed', async ([, bytes], { service }) => {
  const { status, head, body } = await rawBytes(service.url, Buffer.from(bytes, 'latin1'));
  expect([status, JSON.parse(body)]).toMatchObject([400, { ...PARSED, code: 'parse_error' }]);
  expect(head).toMatch(/connection: close/i);
});

test('headers and URLs that are too long are rejected', async ({ service }) => {
  for (const lines of [
    ['GET /livez HTTP/1.1', 'Host: x', `A: ${'x'.repeat(20_000)}`],
    [`GET /${'x'.repeat(20_000)} HTTP/1.1`, 'Host: x'],
  ]) {
    const { status, body } = await rawRequest(service.url, lines);
    expect([status, errorBody.parse(JSON.parse(body))]).toMatchObject([
      431,
      { ...PARSED, code: 'headers_too_large' },
    ]);
  }
});

test('a long URL is not found', async ({ service }) => {
  for (const path of [`/${'a/'.repeat(5000)}`, `/api/projects/${'9'.repeat(10_000)}/plugin_configs`]) {
    const { status } = await fetch(service.url + path);
    expect([404, 401]).toContain(status);
  }
});

test.for([
  '/api/projects/%zz',
  '/%',
  '/api/projects/1/plugin_configs/%c3%28',
  '/api/projects/1/plugin_configs?limit=%zz',
  '/a%00b',
  '//x',
  '/..%2f..%2fetc/passwd',
])('the URL %s is handled', async (path, { service }) => {
  const { status, body } = await rawRequest(service.url, [
    `GET ${path} HTTP/1.1`,
    'Host: x',
    'Connection: close',
  ]);
  expect([401, 404]).toContain(status);
  errorBody.parse(JSON.parse(body));
});

test.for([
  ['HTTP/1.1 without a Host', 'GET /livez HTTP/1.1', [], 400],
  ['two Hosts', 'GET /livez HTTP/1.1', ['Host: x', 'host: x'], 400],
  ['two Hosts and an unknown path', 'GET /nothing HTTP/1.1', ['Host: x', 'Host: y'], 400],
  ['HTTP/1.0 with two Hosts', 'GET /livez HTTP/1.0', ['Host: x', 'Host: y'], 400],
  ['HTTP/1.0 without a Host', 'GET /livez HTTP/1.0', [], 200],
  ['an empty Host', 'GET /livez HTTP/1.1', ['Host:'], 200],
] as const)('%s', async ([, start, hosts, expected], { service }) => {
  const { status, body } = await rawRequest(service.url, [start, ...hosts, 'Connection: close']);
  expect(status).toBe(expected);
  if (status === 400)
    expect(errorBody.parse(JSON.parse(body))).toMatchObject({ ...PARSED, code: 'parse_error' });
});

test('an absolute URL is handled as its path', async ({ service }) => {
  const { status } = await rawRequest(service.url, [
    `GET ${service.url}/livez HTTP/1.1`,
    'Host: x',
    'Connection: close',
  ]);
  expect(status).toBe(200);
});

test('Expect: 100-continue is honoured, and any other expectation fails', async ({ service }) => {
  for (const [expectation, status] of [
    ['100-continue', 405],
    ['miracles', 417],
  ] as const) {
    const lines = [
      'POST /api/projects/1 HTTP/1.1',
      'Host: x',
      `Expect: ${expectation}`,
      'Connection: close',
      'Content-Length: 2',
    ];
    const received = await sent(service.url, `${lines.join('\r\n')}\r\n\r\n{}`);
    expect(received).toMatch(new RegExp(`HTTP/1.1 ${status} `));
  }
});

test('an upgrade is ignored', async ({ service }) => {
  const upgrade = ['GET /livez HTTP/1.1', 'Host: x', 'Connection: Upgrade, close', 'Upgrade: websocket'];
  expect((await rawRequest(service.url, upgrade)).status).toBe(200);
});

test('a caller that disconnects during its body does not affect other requests', async ({
  call,
  service,
  project,
}) => {
  const { token } = await service.issueKey();
  for (const tail of ['{"plu', '']) {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    const lines = [
      `POST /api/projects/${project.id}/plugin_configs HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      'Content-Length: 100',
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n${tail}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
    socket.destroy();
  }
  expect((await call<{ count: number }>('GET', '/plugin_configs')).body.count).toBe(0);
  expect(service.log.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});

test('pipelined requests are served in order', async ({ service }) => {
  const one = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n';
  const last = 'GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  const received = await sent(service.url, one + one + last);
  expect([...received.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status)).toEqual([
    '200',
    '200',
    '404',
  ]);
});

async function sent(url: string, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(bytes);
  return text(socket);
}
