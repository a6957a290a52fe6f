import { expect, onTestFinished, test } from 'vitest';
import { spanCounts, startSpan, startTracing } from './index.ts';
import { otlpReceiver } from './testing/otlp-receiver.ts';

const QUEUE_SPANS = 2048;
const BATCH_SPANS = 512;

async function tracedTo(endpoint: string) {
  const tracing = await startTracing({
    endpoint,
    headers: '',
    serviceName: 'test',
    serviceVersion: '1',
    sampler: 'always_on',
    ratio: 1,
  });
  onTestFinished(() => tracing.close());
  return tracing;
}

const endSpans = (count: number): void => {
  for (let i = 0; i < count; i++) startSpan({ name: 'span' }, null)?.end();
};

test('spans that a silent collector never accepts are bounded and counted, and do not delay shutdown', async () => {
  await using silent = await otlpReceiver({ pauseMs: 60_000 });
  const tracing = await tracedTo(silent.url);
  endSpans(10_000);
  await expect.poll(() => silent.spans.length).toBe(BATCH_SPANS);
  endSpans(10_000);
  expect(spanCounts()).toEqual({
    exported: 0,
    queueFull: 20_000 - BATCH_SPANS - QUEUE_SPANS,
    notAccepted: 0,
  });
  const start = performance.now();
  await tracing.close();
  expect(performance.now() - start).toBeLessThan(5_000);
});

test('rejected spans are counted, and the first rejection and the recovery are each reported once', async () => {
  await using receiver = await otlpReceiver({ status: 400 });
  const tracing = await tracedTo(receiver.url);
  const reasons: (string | null)[] = [];
  tracing.onProblem((reason) => reasons.push(reason));
  for (let batch = 1; batch <= 3; batch++) {
    endSpans(BATCH_SPANS);
    await expect.poll(() => spanCounts()?.notAccepted).toBe(batch * BATCH_SPANS);
  }
  expect(reasons).toEqual(['Bad Request']);
  receiver.setStatus(200);
  endSpans(BATCH_SPANS);
  await expect.poll(() => spanCounts()?.exported).toBe(BATCH_SPANS);
  expect(reasons).toEqual(['Bad Request', null]);
});

test('without a collector, closing takes at most a second', async () => {
  const tracing = await tracedTo('http://127.0.0.1:9');
  endSpans(10);
  const start = performance.now();
  await tracing.close();
  expect(performance.now() - start).toBeLessThan(5_000);
});
