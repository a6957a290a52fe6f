/** @module-tag long */

import { expect, test } from 'vitest';
import { administrator } from '../testing/administrator.ts';
import { fillFamily } from '../testing/fill-family.ts';
import { neighbour } from '../testing/neighbour.ts';
import { serviceOfFile } from '../testing/running-service.ts';

const RECORDS = 2_000;
const ENTRIES_PER_RECORD = 50;

const running = serviceOfFile();

test('the erasure of a large project does not slow down its neighbours', async () => {
  const service = running();
  const { projectId } = await service.tenant();
  const ids = await fillFamily(service, { projectId }, { records: RECORDS });
  await service.rows(
    `insert into activity (record_id, activity, created_at, actor_label, changes)
    select id, 'updated', now(), 'somebody', '[]' from unnest($1::bigint[]) id, generate_series(1, $2)`,
    [ids, ENTRIES_PER_RECORD],
  );
  await service.rows(
    `insert into delivery_sum select id, date_trunc('hour', now()) + n * interval '5 minutes', 1, 1, 1
    from unnest($1::bigint[]) id, generate_series(1, $2) n`,
    [ids, ENTRIES_PER_RECORD],
  );
  const client = await administrator(service);
  const other = await neighbour(await service.tenant());
  await client.project(projectId).delete({ name: 'Tenant' });
  await expect.poll(async () => (await client.erasures.retrieve(projectId)).state).toBe('done');
  await other.expectUnaffected();
  const { counts } = await client.erasures.retrieve(projectId);
  expect(counts).toMatchObject({ records: RECORDS, activity: RECORDS * ENTRIES_PER_RECORD });
});
