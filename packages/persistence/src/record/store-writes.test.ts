import { DomainError } from '@plugin-config/domain';
import { expect, test, vi } from 'vitest';
import { aPrimary } from '../testing/a-primary.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { BUSY, storeWrites } from './store-writes.ts';

const withEmptied = databaseOfFile();

const OPTIONS = {
  familyOf: () => ({ projectId: 1, family: 'plugin_configs' as const }),
  deadlineOf: () => undefined,
  weightOf: () => 1,
};

test('a write without a deadline is rejected after four seconds, with waits of half a second at most', () =>
  withEmptied(async (database) => {
    let now = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    const waits: (number | null)[] = [];
    const save = storeWrites<string, string>({
      ...OPTIONS,
      database,
      store: async (_client, writes, waitMs) => {
        waits.push(waitMs);
        now += waitMs ?? 0;
        return writes.map(() => BUSY);
      },
    });
    try {
      await expect(save('x')).rejects.toMatchObject({ code: 'busy' });
      expect(waits).toEqual([null, ...Array.from({ length: 8 }, () => 500)]);
    } finally {
      clock.mockRestore();
    }
  }));

test('a rejected write does not affect the others in its batch', () =>
  withEmptied(async (database) => {
    const rejection = new DomainError('throttled', 'Not now.');
    const save = storeWrites<string, string>({
      ...OPTIONS,
      database,
      store: async (_client, writes) => writes.map((write) => (write === 'bad' ? rejection : write)),
    });
    expect(await Promise.allSettled(['a', 'bad', 'b'].map(save))).toEqual([
      { status: 'fulfilled', value: 'a' },
      { status: 'rejected', reason: rejection },
      { status: 'fulfilled', value: 'b' },
    ]);
  }));

test('writes from before a failover are rejected, and the others in their batch are stored', () =>
  withEmptied(async ({ pool, isDry }) => {
    const primary = aPrimary();
    const stored: string[] = [];
    const save = storeWrites<string, string>({
      ...OPTIONS,
      database: { pool, primary, isDry },
      store: async (_client, writes) => {
        stored.push(...writes);
        return writes;
      },
    });
    const before = save('before');
    primary.failOver();
    const after = save('after');
    await expect(before).rejects.toMatchObject({ code: 'unavailable' });
    expect(await after).toBe('after');
    expect(stored).toEqual(['after']);
  }));
