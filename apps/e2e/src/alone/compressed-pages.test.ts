import { get } from 'node:http';
import { expect, test } from 'vitest';
import { fillFamily } from '../testing/fill-family.ts';
import { keepCalling } from '../testing/keep-calling.ts';
import { neighbour } from '../testing/neighbour.ts';
import { runService } from '../testing/running-service.ts';
import type { Tenant } from '../testing/tenant.ts';

const RECORDS = 1000;
/** Digits of random numbers: they compress badly. */
const CONFIG = `(select json_build_object('text', string_agg(md5(n::text || i::text), '')) from generate_series(1, 250) i)`;

test('many large pages that all differ, each compressed, harm no neighbour', async () => {
  await using service = await runService();
  const tenant = await service.tenant();
  await fillFamily(service, tenant, { records: RECORDS, config: CONFIG });
  const other = await neighbour(await service.tenant());
  let compressed = 0;
  const statuses = await keepCalling({ callers: 30, forMs: 8000 }, async (n) => {
    const page = `/plugin_configs?limit=${900 - (n % 400)}&offset=${Math.floor(n / 400)}`;
    const { status, encoding } = await drain(tenant, page);
    if (encoding === 'br') compressed++;
    return status;
  });
  await other.expectUnharmed();
  expect([...statuses.keys()].filter((status) => ![200, 503].includes(status))).toEqual([]);
  expect(compressed).toBeGreaterThan(0);
}, 60_000);

/** Reads an answer as it is sent, without decompressing it. */
function drain(
  { api, projectId, token }: Tenant,
  path: string,
): Promise<{ readonly status: number; readonly encoding: string | undefined }> {
  const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'br' };
  return new Promise((resolve, reject) => {
    get(`${api}/api/projects/${projectId}${path}`, { headers }, (answer) => {
      const { statusCode = 0, headers: sent } = answer.resume();
      answer.on('end', () => resolve({ status: statusCode, encoding: sent['content-encoding'] }));
    }).on('error', reject);
  });
}
