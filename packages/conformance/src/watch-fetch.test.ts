import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test as base } from 'vitest';
import { responseCheck } from './response-check.ts';
import { DOCUMENT } from './testing/sample-document.ts';
import { watchFetch } from './watch-fetch.ts';

const test = base.extend<{ readonly url: string }>({
  url: async ({}, use) => {
    const server = createServer((request, response) => {
      if (request.url === '/things/stream') stream(response);
      else sendThing(response, request.url === '/things/2' ? '"two"' : '1');
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.closeAllConnections();
    server.close();
  },
});

function sendThing(response: ServerResponse, id: string): void {
  response.setHeader('etag', '"1"').setHeader('content-type', 'application/json');
  response.end(`{"id":${id},"name":null}`);
}

/** Sends an event in two pieces, and keeps the stream open. */
function stream(response: ServerResponse): void {
  response.setHeader('content-type', 'text/event-stream').write('event: thing\ndata: {"id":');
  setTimeout(() => response.write('"two","name":null}\n\n'), 10);
}

const watched = watchFetch();

test('checks each event of a stream when it is read', async ({ url }) => {
  watched.watch(url, responseCheck(DOCUMENT));
  const reader = (await fetch(`${url}/things/stream`)).body?.getReader();
  await reader?.read();
  expect(watched.takeViolations()).toEqual([]);
  await reader?.read();
  expect(watched.takeViolations()).toEqual([
    'stream_things 200: the data of "thing" /id must be integer {"type":"integer"}',
  ]);
  await reader?.cancel();
});

test('checks only the responses of a watched origin, and does not change them', async ({ url }) => {
  await (await fetch(`${url}/things/2`)).text();
  expect(watched.takeViolations()).toEqual([]);
  watched.watch(url, responseCheck(DOCUMENT));
  const response = await fetch(new Request(`${url}/things/2`));
  expect([response.status, response.url, await response.json()]).toEqual([
    200,
    `${url}/things/2`,
    { id: 'two', name: null },
  ]);
  expect(watched.takeViolations()).toEqual([
    'retrieve_thing 200: the body /id must be integer {"type":"integer"}',
  ]);
  expect(await (await fetch(new URL('/things/1', url))).json()).toEqual({ id: 1, name: null });
  expect(watched.takeViolations()).toEqual([]);
});

test('checks the head even if the body is not read', async ({ url }) => {
  watched.watch(url, responseCheck(DOCUMENT));
  const response = await fetch(`${url}/things/1`, { method: 'POST' });
  expect(watched.takeViolations()).toEqual(['POST /things/1 200: the method is not described']);
  await response.body?.cancel();
});
