import { describe, expect, test } from 'vitest';
import { deadline } from '@plugin-config/flow';
import { checkIdempotencyKey, type IdempotencyKey, type Once } from './idempotency-key.ts';
import { oncePerKey } from './once-per-key.ts';

const KEY: IdempotencyKey = { name: 'request', digest: 'body', origin: '' };
const DEADLINE = deadline(1000, () => 0);
const never = (): (() => void) => () => undefined;
const outcome = (value: number): Once<number> => ({ value, digest: 'body', origin: '', isFirst: true });

test.each(['a', '0b5f7c1e-6d1f', 'with "quotes" and spaces', '~'.repeat(255)])('%j is a key', (text) => {
  expect(() => checkIdempotencyKey(text)).not.toThrow();
});

test.each(['', 'x'.repeat(256), 'ü', 'tab\t', '\u007F'])('%j is not a key', (text) => {
  expect(() => checkIdempotencyKey(text)).toThrow(
    expect.objectContaining({ code: 'invalid_input', attr: 'Idempotency-Key' }),
  );
});

describe('concurrent requests with one key', () => {
  test('the first one does the work, and all get its result', async () => {
    const once = oncePerKey<number>(never);
    const { promise, resolve } = Promise.withResolvers<Once<number>>();
    let works = 0;
    const work = (): Promise<Once<number>> => {
      works++;
      return promise;
    };
    const all = Promise.all(Array.from({ length: 50 }, () => once(KEY, DEADLINE, work)));
    resolve(outcome(7));
    const outcomes = await all;
    expect(works).toBe(1);
    expect(outcomes.map(({ value }) => value)).toEqual(Array.from({ length: 50 }, () => 7));
    expect(outcomes.filter(({ isFirst }) => isFirst)).toHaveLength(1);
  });

  test('if the first one fails, the next one does the work', async () => {
    const once = oncePerKey<number>(never);
    const failing = once(KEY, DEADLINE, () => Promise.reject(new Error('cut off')));
    const next = once(KEY, DEADLINE, async () => outcome(8));
    const last = once(KEY, DEADLINE, async () => outcome(9));
    await expect(failing).rejects.toThrow('cut off');
    expect([await next, await last]).toEqual([outcome(8), { ...outcome(8), isFirst: false }]);
  });

  test('a different body is rejected', async () => {
    const once = oncePerKey<number>(never);
    const first = once(KEY, DEADLINE, async () => outcome(7));
    const other = once({ ...KEY, digest: 'other' }, DEADLINE, async () => outcome(8));
    await expect(other).rejects.toMatchObject({ code: 'idempotency_mismatch' });
    await first;
  });

  test('a request that waits too long is rejected while the first one is running', async () => {
    const waits: number[] = [];
    const once = oncePerKey<number>((work, afterMs) => {
      waits.push(afterMs);
      work();
      return () => undefined;
    });
    const { promise, resolve } = Promise.withResolvers<Once<number>>();
    const first = once(KEY, DEADLINE, () => promise);
    const second = once(KEY, DEADLINE, async () => outcome(8));
    await expect(second).rejects.toMatchObject({ code: 'idempotency_in_flight', retryAfterSeconds: 1 });
    expect(waits).toEqual([1000]);
    resolve(outcome(7));
    await first;
  });

  test('requests with other keys do not wait', async () => {
    const once = oncePerKey<number>(never);
    const { promise, resolve } = Promise.withResolvers<Once<number>>();
    const first = once(KEY, DEADLINE, () => promise);
    expect(await once({ ...KEY, name: 'other' }, DEADLINE, async () => outcome(8))).toMatchObject(outcome(8));
    resolve(outcome(7));
    await first;
  });
});
