import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import {
  activeSpan,
  traced,
  inSpan,
  isTracing,
  remoteParent,
  onBehalfOf,
  spanCounts,
  startSpan,
  startTracing,
  withSpan,
  type Span,
  type TracingSettings,
} from './index.ts';
import { otlpReceiver } from './testing/otlp-receiver.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SAMPLED = `00-${TRACE}-00f067aa0ba902b7-01`;
const UNSAMPLED = SAMPLED.replace(/01$/, '00');

async function startedTracing(settings: Partial<TracingSettings> = {}) {
  const tracing = await startTracing({
    endpoint: 'http://127.0.0.1:9',
    headers: '',
    serviceName: 'test',
    serviceVersion: '1',
    sampler: 'parentbased_always_on',
    ratio: 1,
    ...settings,
  });
  onTestFinished(() => tracing.close());
  return tracing;
}

const sender = (traceParent: string | undefined): Span | null => remoteParent(null, () => traceParent);
const started = (name: string, parent: Span | null = null): Span => startSpan({ name }, parent) as Span;

test('while tracing is off, work runs unwrapped', async () => {
  const work = async () => 'done';
  expect(isTracing()).toBe(false);
  expect(traced({ name: 'step' }, work)).toBe(work);
  expect([startSpan({ name: 'span' }, null), activeSpan(), spanCounts()]).toEqual([null, null, null]);
  expect(remoteParent(null, () => expect.fail('read the traceparent'))).toBeNull();
  expect(await inSpan([], { name: 'own' }, async (span) => span)).toBeNull();
  expect(onBehalfOf([null], () => 'shared')).toBe('shared');
  expect(withSpan(null, () => 'within')).toBe('within');
});

test('the collector receives spans with their parents, failures and service, and the configured headers', async () => {
  await using receiver = await otlpReceiver();
  const tracing = await startedTracing({
    endpoint: `${receiver.url}/`,
    headers: 'api-key=a%20secret,tenant=7',
  });
  const request = started('request', sender(SAMPLED));
  await withSpan(request, async () => {
    await nextTurn();
    await traced({ name: 'good', attributes: { rows: 3 } }, async () => 1)();
    const bad = traced({ name: 'bad' }, () => Promise.reject(new TypeError('a value')));
    await expect(bad()).rejects.toThrow('a value');
  });
  request.end();
  expect(withSpan(request, activeSpan)).toBeNull();
  await tracing.close();
  const [good, bad, server] = receiver.spans;
  expect(server).toMatchObject({
    name: 'request',
    traceId: TRACE,
    parentSpanId: '00f067aa0ba902b7',
    service: 'test',
  });
  expect(good).toMatchObject({
    name: 'good',
    traceId: TRACE,
    parentSpanId: server?.spanId,
    attributes: { rows: 3 },
  });
  expect(bad).toMatchObject({
    parentSpanId: server?.spanId,
    isFailed: true,
    attributes: { 'error.type': 'TypeError' },
  });
  expect(JSON.stringify(receiver.spans)).not.toContain('a value');
  expect(receiver.headers[0]).toMatchObject({ 'api-key': 'a secret', tenant: '7' });
});

test('shared work is a child of the first caller, and is linked with the others in both directions', async () => {
  await using receiver = await otlpReceiver();
  const tracing = await startedTracing({ endpoint: receiver.url });
  const [first, second, third] = ['first', 'second', 'third'].map((name) => started(name));
  const remote = sender(SAMPLED);
  const callers = [null, first, second, second, third, remote, sender(UNSAMPLED)].map((span = null) => span);
  await onBehalfOf(callers, async () => {
    await nextTurn();
    await traced({ name: 'statement' }, async () => traced({ name: 'inner' }, nextTurn)())();
  });
  for (const span of [first, second, third]) span?.end();
  await tracing.close();
  const byName = new Map(receiver.spans.map((span) => [span.name, span]));
  const idOf = (name: string): string => byName.get(name)?.spanId ?? '';
  expect(byName.get('statement')).toMatchObject({
    parentSpanId: idOf('first'),
    links: [idOf('second'), idOf('third'), '00f067aa0ba902b7'],
  });
  expect(byName.get('second')?.links).toEqual([idOf('statement')]);
  expect(byName.get('third')?.links).toEqual([idOf('statement')]);
  expect(byName.get('first')?.links).toEqual([]);
  expect(byName.get('inner')).toMatchObject({ parentSpanId: idOf('statement'), links: [] });
});

test('work shared by unrecorded callers leaves no span, even if it starts inside a recorded span', async () => {
  await using receiver = await otlpReceiver();
  const tracing = await startedTracing({ endpoint: receiver.url });
  const recorded = started('recorded');
  const statement = traced.bind(null, { name: 'statement' }, nextTurn);
  await withSpan(recorded, () => onBehalfOf([null], () => statement()()));
  recorded.end();
  await withSpan(recorded, () => statement()());
  await tracing.close();
  expect(receiver.spans.map(({ name }) => name)).toEqual(['recorded']);
});

test('a span is linked with at most 127 callers in addition to its parent', async () => {
  await using receiver = await otlpReceiver();
  const tracing = await startedTracing({ endpoint: receiver.url });
  const callers = Array.from({ length: 300 }, () => started('caller'));
  await inSpan(callers, { name: 'batch' }, nextTurn);
  await tracing.close();
  expect(receiver.spans.find(({ name }) => name === 'batch')?.links.length).toBe(127);
});

/** The bounds are seven standard deviations from the mean. */
test.for([
  ['always_on', SAMPLED, 1, [200, 200]],
  ['always_on', UNSAMPLED, 1, [200, 200]],
  ['always_off', SAMPLED, 1, [0, 0]],
  ['parentbased_always_on', SAMPLED, 0, [200, 200]],
  ['parentbased_always_on', UNSAMPLED, 1, [0, 0]],
  ['parentbased_always_off', SAMPLED, 1, [0, 0]],
  ['traceidratio', SAMPLED, 0.5, [50, 150]],
  ['traceidratio', UNSAMPLED, 0.5, [50, 150]],
  ['parentbased_traceidratio', SAMPLED, 0.5, [50, 150]],
  ['parentbased_traceidratio', UNSAMPLED, 0.5, [0, 0]],
  ['parentbased_traceidratio', undefined, 0.5, [50, 150]],
] as const)(
  '%s samples 200 requests with traceparent %s at the ratio %s',
  async ([sampler, header, ratio, [least, most]]) => {
    await startedTracing({ sampler, ratio });
    const requests = Array.from({ length: 200 }, () => started('request', sender(header)));
    const recorded = requests.filter((span) => span.isRecording()).length;
    expect(recorded).toBeGreaterThanOrEqual(least);
    expect(recorded).toBeLessThanOrEqual(most);
  },
);

test('requests keep the trace of their caller, recorded or not, and children are recorded with their parents', async () => {
  await startedTracing({ sampler: 'parentbased_traceidratio', ratio: 0.5 });
  const requests = Array.from({ length: 200 }, () => started('request', sender(SAMPLED)));
  expect(new Set(requests.map((span) => span.spanContext().traceId))).toEqual(new Set([TRACE]));
  const children = requests.map((span) => started('child', span));
  const areRecorded = (spans: readonly Span[]) => spans.map((span) => span.isRecording());
  expect(areRecorded(children)).toEqual(areRecorded(requests));
});

test('a malformed traceparent is ignored', async () => {
  await startedTracing();
  for (const text of [
    '',
    TRACE,
    SAMPLED.toUpperCase(),
    SAMPLED.replace(/^00/, 'ff'),
    SAMPLED.replace(TRACE, '0'.repeat(32)),
    SAMPLED.replace('00f067aa0ba902b7', '0'.repeat(16)),
    `${SAMPLED}-more`,
    `${SAMPLED},${SAMPLED}`,
    `x${SAMPLED}`,
    `00-${TRACE}-00f067aa0ba902b7-${'0'.repeat(10_000)}1`,
  ]) {
    expect([text, sender(text)]).toEqual([text, null]);
  }
  fc.assert(fc.property(fc.string(), (text) => sender(text) === null));
  expect(sender(SAMPLED)?.spanContext().traceId).toBe(TRACE);
});
