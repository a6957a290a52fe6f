import { expect, test, vi } from 'vitest';
import { BUSY, storeWrites } from './store-writes.ts';

test('a write without a patience of its own is refused after four seconds, in waits of at most half a second', async () => {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  const waits: (number | null)[] = [];
  const save = storeWrites<string, string>({
    isDry: false,
    store: async (writes, waitMs) => {
      waits.push(waitMs);
      now += waitMs ?? 0;
      return writes.map(() => BUSY);
    },
    familyOf: () => ({ projectId: 1, family: 'plugin_configs' }),
    patienceOf: () => undefined,
    weightOf: () => 1,
  });
  try {
    await expect(save('x')).rejects.toMatchObject({ code: 'busy' });
    expect(waits).toEqual([null, ...Array.from({ length: 8 }, () => 500)]);
  } finally {
    clock.mockRestore();
  }
});
