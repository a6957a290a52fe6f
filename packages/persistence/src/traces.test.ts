import { aKeyHash } from '@plugin-config/testing';
import { startSpan, startTracing, withSpan, type Span } from '@plugin-config/tracing';
import { otlpReceiver, type OtlpReceiver } from '@plugin-config/tracing/testing';
import { expect, onTestFinished, test } from 'vitest';
import { postgresPorts } from './postgres-ports.ts';
import { databaseOfFile } from './testing/database-of-file.ts';
import { inTransaction } from './postgres/in-transaction.ts';
import { run, tracedStatement } from './postgres/statement.ts';

const withEmptied = databaseOfFile();

const DIVIDE = { name: 'divide', text: 'select (1 / $1::int)::text' };

async function startedTracing(receiver: OtlpReceiver): Promise<() => Promise<void>> {
  const { close } = await startTracing({
    endpoint: receiver.url,
    headers: '',
    serviceName: 'test',
    serviceVersion: '1',
    sampler: 'always_on',
    ratio: 1,
  });
  onTestFinished(close);
  return close;
}

const started = (name: string): Span => startSpan({ name }, null) as Span;

test('a statement runs without a span while tracing is off', () => {
  const work = async () => 1;
  expect(tracedStatement('select secret', work)).toBe(work);
});

test('queries that share a statement are linked with its span, which has neither its text nor its values', () =>
  withEmptied(async (database) => {
    await using receiver = await otlpReceiver();
    const close = await startedTracing(receiver);
    const { read } = postgresPorts(database).probe;
    const query = { project: 1, family: 'plugin_configs', recordId: null } as const;
    const callers = ['first', 'second', 'third'].map(started);
    const asked = callers.map((span, i) =>
      withSpan(span, () => read({ ...query, keyHash: aKeyHash(i + 1) })),
    );
    await Promise.all([...asked, read({ ...query, keyHash: aKeyHash(9) })]);
    for (const span of callers) span.end();
    await close();
    const [first, second, third] = ['first', 'second', 'third'].map((name) =>
      receiver.spans.find((span) => span.name === name),
    );
    const statements = receiver.spans.filter(({ name }) => name === 'access_to_families');
    expect(statements).toMatchObject([
      { traceId: first?.traceId, parentSpanId: first?.spanId, links: [second?.spanId, third?.spanId] },
    ]);
    expect(statements[0]?.attributes).toEqual({
      'db.system.name': 'postgresql',
      'db.query.summary': 'access_to_families',
    });
    expect([second?.links, third?.links]).toEqual([[statements[0]?.spanId], [statements[0]?.spanId]]);
  }));

test('a transaction has a span around its statements, and a failed one has the SQLSTATE', () =>
  withEmptied(async ({ pool }) => {
    await using receiver = await otlpReceiver();
    const close = await startedTracing(receiver);
    const request = started('request');
    const work = () =>
      inTransaction(pool, 'begin; set local jit = off', (client) => run(client, DIVIDE, ['0']));
    await expect(withSpan(request, work)).rejects.toThrow('division by zero');
    request.end();
    await close();
    const byName = new Map(receiver.spans.map((span) => [span.name, span]));
    const transaction = byName.get('transaction');
    expect(transaction).toMatchObject({ parentSpanId: byName.get('request')?.spanId, isFailed: true });
    expect(byName.get('begin')).toMatchObject({ parentSpanId: transaction?.spanId, isFailed: false });
    expect(byName.get('divide')).toMatchObject({
      parentSpanId: transaction?.spanId,
      isFailed: true,
      attributes: { 'error.type': '22012' },
    });
    expect(JSON.stringify(receiver.spans)).not.toMatch(/division|select|jit/);
  }));
