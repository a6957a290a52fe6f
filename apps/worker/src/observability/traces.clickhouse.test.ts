/** @module-tag long */

import { otlpReceiver, type ReceivedSpan } from '@plugin-config/tracing/testing';
import { expect, test } from 'vitest';
import { push } from '../testing/bed.ts';
import { makeClickHouseBed } from '../testing/clickhouse-bed.ts';
import { anEntry, ndjson } from '../testing/entries.ts';

test('the insert into ClickHouse is a span of its batch, with the kind of the query alone', async () => {
  await using receiver = await otlpReceiver();
  await using made = await makeClickHouseBed();
  const { bed, serve } = made;
  using worker = await serve({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
  const body = ndjson([anEntry(bed.record.id, { message: 'a private word' })]);
  expect((await push(worker.url, body, { token: bed.token })).body).toMatchObject({ stored: 1 });
  await worker.stop();
  const [batch] = await receiver.named('ingest http');
  const [inserted] = await receiver.named('clickhouse insert');
  expect(inserted).toMatchObject({
    traceId: batch?.traceId,
    attributes: { 'db.system.name': 'clickhouse', 'db.query.summary': 'insert' },
  });
  expect(inserted && above(receiver.spans, inserted)).toContain(batch?.spanId);
  expect(JSON.stringify(receiver.spans)).not.toContain('private');
});

/** The ids of the spans above this one. */
function above(spans: readonly ReceivedSpan[], { parentSpanId }: ReceivedSpan): readonly string[] {
  const parent = spans.find(({ spanId }) => spanId === parentSpanId);
  return parent === undefined ? [] : [parent.spanId, ...above(spans, parent)];
}
