import { anAuthor } from '@plugin-config/testing';
import { errorBody } from '@plugin-config/contract';
import { expect } from 'vitest';
import { rawBytes } from '../testing/raw-request.ts';
import { openService, test } from '../testing/service.fixture.ts';

const TIMEOUT = { type: 'invalid_request', code: 'timeout', attr: null };

test('a connection is closed if its request does not arrive in time', async () => {
  const { app, url, ports, close, issueKey } = await openService();
  try {
    expect([app.server.headersTimeout, app.server.requestTimeout, app.server.timeout]).toEqual([
      30_000, 60_000, 30_000,
    ]);
    Object.assign(app.server, { headersTimeout: 300, requestTimeout: 600 });
    await ports.projects.create({ name: 'One' }, anAuthor({ at: new Date() }));
    const { token } = await issueKey();
    const head = `Host: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 9`;
    for (const bytes of [
      'POST /api/pro',
      `POST /api/projects/1/plugin_configs HTTP/1.1\r\n${head}\r\n\r\n{`,
    ]) {
      const { status, head: response, body } = await rawBytes(url, bytes);
      expect([status, errorBody.parse(JSON.parse(body))]).toMatchObject([408, TIMEOUT]);
      expect(response).toMatch(/connection: close/i);
    }
  } finally {
    await close();
  }
});
