import { errorBody } from '@plugin-config/contract';
import { expect } from 'vitest';
import { rawRequest } from '../testing/raw-request.ts';
import { test } from '../testing/service.fixture.ts';

const CHUNK = 'd\r\n{"plugin": 7}\r\n0\r\n\r\n';

test.for([
  [['Authorization: Bearer phx_other', 'Content-Type: application/json', 'Transfer-Encoding: chunked'], 400],
  [['Content-Type: application/json', 'content-type: text/plain', 'Transfer-Encoding: chunked'], 400],
  [['Content-Type: application/json', 'Transfer-Encoding: gzip, chunked'], 400],
  [['Content-Type: application/json', 'Transfer-Encoding: gzip', 'Transfer-Encoding: chunked'], 400],
  [['Content-Type: application/json', 'content-type: application/json', 'Transfer-Encoding: Chunked'], 201],
] as const)('a creation with the headers %j returns %i', async ([lines, expected], { service, project }) => {
  const { token } = await service.issueKey();
  const { status, body } = await rawRequest(
    service.url,
    [
      `POST /api/projects/${project.id}/plugin_configs HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${token}`,
      ...lines,
      'Connection: close',
    ],
    CHUNK,
  );
  expect([status, body]).toEqual([expected, body]);
  if (expected === 400)
    expect(errorBody.parse(JSON.parse(body))).toMatchObject({ code: 'parse_error', attr: null });
});
