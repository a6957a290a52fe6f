import { aRecord } from '@plugin-config/testing';
import { otlpReceiver, type ReceivedSpan } from '@plugin-config/tracing/testing';
import { expect } from 'vitest';
import { push } from '../testing/test-bed.ts';
import { anEntry, ndjson } from '../testing/entries.ts';
import { queueChange } from '../testing/jobs.ts';
import { test } from '../testing/worker.fixture.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`;
/** Prints the OpenTelemetry modules that the process loads, except for the API, which the metrics library loads. */
const PRINT_LOADED = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  import { writeSync } from 'node:fs';
  registerHooks({ load(url, context, next) {
    if (/@opentelemetry.(?!api)/.test(url)) writeSync(2, 'loaded ' + url + '\\n');
    return next(url, context);
  } });
`)}`;

test('the span of a push is a child of its sender, and the parent of its batch and statements', async ({
  bed,
}) => {
  await using receiver = await otlpReceiver();
  using worker = await bed.serve({
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_SERVICE_NAME: 'ingestion',
  });
  const body = ndjson([anEntry(bed.record.id), anEntry(0)]);
  const headers = { traceparent: TRACEPARENT };
  const response = await push(worker.url, body, { token: bed.token, headers });
  expect([response.body, response.headers.get('x-trace-id')]).toMatchObject([
    { stored: 1, duplicates: 0, dead: 1 },
    TRACE,
  ]);
  await worker.stop();
  const [batch] = await receiver.named('ingest http');
  const [request] = await receiver.named('POST /ingest');
  const [inserted] = await receiver.named('insert_log_entries');
  expect(request).toMatchObject({ service: 'ingestion', traceId: TRACE, parentSpanId: '00f067aa0ba902b7' });
  expect(batch).toMatchObject({
    parentSpanId: request?.spanId,
    attributes: { 'messaging.batch.message_count': 2, stored: 1, duplicates: 0, dead: 1 },
  });
  const transaction = receiver.spans.find(({ spanId }) => spanId === inserted?.parentSpanId);
  expect(transaction).toMatchObject({ name: 'transaction', parentSpanId: batch?.spanId });
  expect(new Set(receiver.spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]));
});

test('a job has a separate trace, and its log lines have the trace id', async ({ bed }) => {
  await using receiver = await otlpReceiver();
  using worker = await bed.serve({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
  const record = await aRecord(bed.ports, bed.family);
  const { jobId: id } = await queueChange(bed, record, { name: 'a private word' });
  const [job] = await receiver.named('job');
  expect(job).toMatchObject({
    service: 'plugin-config-worker',
    parentSpanId: undefined,
    attributes: {
      'plugin_config.job_id': id,
      'plugin_config.job_attempt': 1,
      'plugin_config.project_id': record.projectId,
      'plugin_config.record_id': record.id,
    },
  });
  const [ended] = await receiver.named('end_job');
  expect(ended?.traceId).toBe(job?.traceId);
  await worker.stop();
  const lines = worker
    .log()
    .split('\n')
    .filter((line) => line.includes(id));
  expect(lines.map((line) => (JSON.parse(line) as { trace_id?: string }).trace_id)).toEqual([job?.traceId]);
  expect(JSON.stringify(receiver.spans)).not.toContain('private');
});

test('marks the span of a failed attempt, and logs the state of the job', async ({ bed }) => {
  await using receiver = await otlpReceiver();
  using worker = await bed.serve({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
  const record = await aRecord(bed.ports, bed.family, { deleted: true });
  const { jobId: id } = await queueChange(bed, record, { enabled: true });
  const ofJob = ({ attributes }: ReceivedSpan): boolean => attributes['plugin_config.job_id'] === id;
  await expect.poll(() => receiver.spans.some(ofJob)).toBe(true);
  expect(receiver.spans.find(ofJob)).toMatchObject({ name: 'job', isFailed: true });
  await worker.stop();
  const line = worker
    .log()
    .split('\n')
    .find((text) => text.includes(id));
  expect(JSON.parse(line ?? '')).toMatchObject({ attempt: 1, state: 'failed' });
});

test('without a collector, loads only the API of OpenTelemetry', { tags: ['long'] }, async ({ bed }) => {
  const token = bed.token;
  const loadedBy = async (env: NodeJS.ProcessEnv): Promise<readonly string[]> => {
    const worker = bed.run({ NODE_OPTIONS: `--import=${PRINT_LOADED}`, ...env });
    const response = await push(await worker.url(), ndjson([anEntry(bed.record.id)]), { token });
    expect(response.headers.has('x-trace-id')).toBe(env['OTEL_EXPORTER_OTLP_ENDPOINT'] !== undefined);
    worker.child.kill('SIGTERM');
    expect(await worker.exited).toBe(0);
    return worker.stderr().match(/^loaded .*$/gm) ?? [];
  };
  expect(await loadedBy({})).toEqual([]);
  expect((await loadedBy({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })).length).toBeGreaterThan(0);
});

test('a dead collector delays neither a push nor the shutdown', { tags: ['long'] }, async ({ bed }) => {
  await using silent = await otlpReceiver({ pauseMs: 60_000 });
  for (const endpoint of ['http://127.0.0.1:9', silent.url]) {
    using worker = await bed.serve({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    for (let i = 0; i < 50; i++) {
      const { status } = await push(worker.url, ndjson([anEntry(bed.record.id)]), { token: bed.token });
      expect(status).toBe(200);
    }
    const start = performance.now();
    await worker.stop();
    expect(performance.now() - start).toBeLessThan(8_000);
  }
});
