/** @module-tag long */

import { expect, test } from 'vitest';
import { push } from './testing/bed.ts';
import { makeClickHouseBed } from './testing/clickhouse-bed.ts';
import { anEntry, ndjson } from './testing/entries.ts';

/** Half the time after which a batch gives ClickHouse up. */
const AT_ONCE_MS = 5_000;

test('while ClickHouse hangs, pushes without entries are stored at once, whatever else waits', async () => {
  await using made = await makeClickHouseBed();
  const { bed, server } = made;
  const { token, record } = bed;
  const { url } = await made.serve();
  await push(url, ndjson([anEntry(record.id)]), { token });
  process.kill(server.pid() ?? 0, 'SIGSTOP');
  try {
    const waiting = Array.from({ length: 20 }, () =>
      push(url, ndjson(Array.from({ length: 600 }, () => anEntry(record.id))), { token }),
    );
    await expect
      .poll(
        async () =>
          (
            await bed.rows(`select from pg_locks l join pg_class c on c.oid = l.relation
      where c.relname = 'log_entry' and l.mode = 'RowExclusiveLock'`)
          ).length,
      )
      .toBeGreaterThan(1);
    const delivery = {
      kind: 'delivery',
      plugin_config_id: record.id,
      successes: 1,
      successes_on_retry: 0,
      failures: 0,
      timestamp: new Date(),
    };
    const started = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        push(url, ndjson([{ ...delivery, id: crypto.randomUUID() }, { kind: 'nonsense' }]), { token }),
      ),
    );
    expect(performance.now() - started).toBeLessThan(AT_ONCE_MS);
    expect(answers.map(({ body }) => body)).toEqual(
      answers.map(() => ({ stored: 1, duplicates: 0, dead: 1 })),
    );
    process.kill(server.pid() ?? 0, 'SIGCONT');
    await Promise.all(waiting);
  } finally {
    process.kill(server.pid() ?? 0, 'SIGCONT');
  }
});
