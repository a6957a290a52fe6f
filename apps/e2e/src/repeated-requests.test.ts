import { openDatabase } from '@plugin-config/persistence';
import { expect, test } from 'vitest';
import { runService } from './testing/running-service.ts';

/** Keeps each transaction that keeps an answer from its commit for as long as somebody has the lock. */
const HOLD_COMMITS = `
  create function hold_commit() returns trigger language plpgsql set lock_timeout = 0 as
    'begin perform pg_advisory_xact_lock(4711); return null; end';
  create constraint trigger hold_commit after insert on kept_answer deferrable initially deferred
    for each row execute function hold_commit()`;

test('a request whose app is killed between commit and answer gets the first answer when it is repeated', async () => {
  await using service = await runService();
  const tenant = await service.tenant();
  const before = await tenant.attach();
  const database = await openDatabase({ url: service.databaseUrl, poolSize: 1 });
  const holder = await database.pool.connect();
  await holder.query(HOLD_COMMITS);
  await holder.query('select pg_advisory_lock(4711)');

  const paths = ['/plugin_configs', `/plugin_configs/${before}/job`];
  const post = (base: string, path: string): Promise<Response> =>
    fetch(`${base}/api/projects/${tenant.projectId}${path}`, {
      method: 'POST',
      body: '{"plugin":7}',
      headers: {
        authorization: `Bearer ${tenant.token}`,
        'content-type': 'application/json',
        'idempotency-key': 'killed',
      },
    });
  let app = service.http;
  let base = await app.url();
  for (const path of paths) {
    const lost = post(base, path).then(
      () => 'answered',
      () => 'lost',
    );
    await expect
      .poll(() =>
        service.rows(`select from pg_locks where locktype = 'advisory' and not granted and objid = 4711`),
      )
      .toHaveLength(1);
    app.child.kill('SIGKILL');
    expect(await lost).toBe('lost');
    await holder.query('select pg_advisory_unlock(4711)');
    app = service.run('http');
    base = await app.url();
    const answers = [await post(base, path), await post(base, path)];
    const told = await Promise.all(
      answers.map(async (answer) => [
        answer.status,
        answer.headers.get('idempotent-replayed'),
        answer.headers.get('location'),
        await answer.text(),
      ]),
    );
    expect(told[0]?.slice(0, 2)).toEqual([path.endsWith('job') ? 200 : 201, 'true']);
    expect(told[1]).toEqual(told[0]);
    await holder.query('select pg_advisory_lock(4711)');
  }
  const counts = `select (select count(*)::integer from config_record) as records, (select count(*)::integer from job) as jobs`;
  expect(await service.rows(counts)).toEqual([{ records: 2, jobs: 1 }]);
  holder.release();
  await database.close();
});
