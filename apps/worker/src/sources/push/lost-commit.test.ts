import { lossyProxy } from '@plugin-config/persistence/testing';
import { expect } from 'vitest';
import { push } from '../../testing/test-bed.ts';
import { anEntry, ndjson } from '../../testing/entries.ts';
import { test } from '../../testing/worker.fixture.ts';

test('a push whose commit gets no response returns 503, and a retry stores it once', async ({ bed }) => {
  let isLost = false;
  await using proxy = await lossyProxy(bed.databaseUrl, {
    request: 'commit\0',
    loss: 'XX000',
    isLost: () => isLost,
  });
  using worker = await bed.serve({ DATABASE_URL: proxy.url });
  const send = (body: string) => push(worker.url, body, bed);
  await send(ndjson([anEntry(bed.record.id)]));
  const body = ndjson([anEntry(bed.record.id)]);
  isLost = true;
  expect(await send(body)).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  isLost = false;
  expect(await send(body)).toMatchObject({ status: 200, body: { stored: 0, duplicates: 1, dead: 0 } });
  expect(await bed.rows('select from log_entry')).toHaveLength(2);
  await worker.stop();
});
