import { expect, inject, test } from 'vitest';
import { migrateClickHouse, openClickHouse, clickHouseProblem, type ClickHouse } from '../index.ts';
import { withClickHouse } from '../testing/clickhouse-ports.fixture.ts';
import { createClickHouseDatabase } from '../testing/create-clickhouse-database.ts';
import { isOld } from './compatibility-problem.ts';
import { migrations } from './migrations/index.ts';

const LIMITS = { timeLimitMs: 5_000 };
const NAMES = migrations.map(({ name }) => name);

async function withServer(
  options: { readonly url: string; readonly cluster?: string },
  run: (clickHouse: ClickHouse) => Promise<void>,
): Promise<void> {
  const clickHouse = openClickHouse({ cluster: null, ...options });
  try {
    await run(clickHouse);
  } finally {
    await clickHouse.close();
  }
}

/** Returns the definitions of all tables on the server, for comparison with `catalogue.sql`. */
async function catalogueOf({ select }: ClickHouse): Promise<string> {
  const rows = await select(
    `select replaceAll(formatQuery(create_table_query), concat(currentDatabase(), '.'), '')
    from system.tables where database = currentDatabase() order by name`,
    {},
    LIMITS,
  );
  return `${rows.map(([text]) => String(text)).join('\n\n')}\n`;
}

test('the migrated tables match catalogue.sql', () =>
  withClickHouse(async (clickHouse) => {
    await expect(await catalogueOf(clickHouse)).toMatchFileSnapshot('./catalogue.sql');
  }));

test('the catalogue shows a changed column and a changed setting', () =>
  withClickHouse(async (clickHouse) => {
    const catalogues = [await catalogueOf(clickHouse)];
    await clickHouse.command('alter table log_entry add column other String', LIMITS);
    catalogues.push(await catalogueOf(clickHouse));
    await clickHouse.command('alter table log_entry modify setting fsync_after_insert = 0', LIMITS);
    catalogues.push(await catalogueOf(clickHouse));
    expect(new Set(catalogues).size).toBe(3);
  }));

test('an empty database is rejected with a hint, migrated once, and then accepted', async () => {
  await using database = await createClickHouseDatabase(inject('clickHouseUrl'), { isMigrated: false });
  await withServer({ url: database.url }, async (clickHouse) => {
    expect(await clickHouseProblem(clickHouse)).toMatch(/npm run --silent cli -- migrate$/);
    const applied = await Promise.all([migrateClickHouse(clickHouse), migrateClickHouse(clickHouse)]);
    expect(applied.flat()).toEqual(expect.arrayContaining(NAMES));
    expect(await migrateClickHouse(clickHouse)).toEqual([]);
    expect(await clickHouseProblem(clickHouse)).toBeNull();
  });
});

test('newer migrations are accepted, and changed migrations are rejected even by migrate', () =>
  withClickHouse(async (clickHouse) => {
    await clickHouse.insert('schema_migration', ['name'], [['9999-of-the-future']], LIMITS);
    expect(await clickHouseProblem(clickHouse)).toBeNull();
    expect(await migrateClickHouse(clickHouse)).toEqual([]);
    await clickHouse.command(`alter table schema_migration update checksum = 'x' where true`, LIMITS);
    const unreleased = /^The schema of ClickHouse was created by an unreleased version/;
    await expect.poll(() => clickHouseProblem(clickHouse)).toMatch(unreleased);
    await expect(migrateClickHouse(clickHouse)).rejects.toThrow(unreleased);
  }));

test.each([
  [
    'a database that does not exist',
    (url: URL) => void (url.pathname = '/nowhere'),
    /does not exist.*create it/,
  ],
  ['an unknown user', (url: URL) => void (url.username = 'nobody'), /rejects the user or the password/],
])('%s is rejected in one line', async (_, change, message) => {
  const url = new URL(inject('clickHouseUrl'));
  change(url);
  await withServer({ url: url.href }, async (clickHouse) => {
    await expect(migrateClickHouse(clickHouse)).rejects.toThrow(message);
  });
});

test('an unknown cluster is rejected in one line', () =>
  withServer({ url: inject('clickHouseUrl'), cluster: 'nowhere' }, async (clickHouse) => {
    await expect(migrateClickHouse(clickHouse)).rejects.toThrow('has no cluster nowhere');
  }));

test('an unreachable server is not reported as incompatible', () =>
  withServer({ url: 'http://127.0.0.1:1/logs' }, async (clickHouse) => {
    await expect(clickHouseProblem(clickHouse)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'ClickHouse is unreachable.',
    });
  }));

test('versions below the oldest supported version are too old', () => {
  expect(['24.12.1', '25.3.2.39', '25.7'].map(isOld)).toEqual([true, true, true]);
  expect(['25.8.1', '25.10', '26.7.2.1'].map(isOld)).toEqual([false, false, false]);
});
