import { migrateClickHouse, openClickHouse } from '../index.ts';

const LIMITS = { timeLimitMs: 10_000 };

export interface ClickHouseDatabase extends AsyncDisposable {
  readonly url: string;
}

/** Creates a database on the test server. It is dropped on disposal. */
export async function createClickHouseDatabase(
  serverUrl: string,
  { isMigrated = true } = {},
): Promise<ClickHouseDatabase> {
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  const admin = openClickHouse({ url: serverUrl, cluster: null });
  await admin.command(`create database ${name}`, LIMITS);
  const url = new URL(`/${name}`, serverUrl).href;
  if (isMigrated) {
    const clickHouse = openClickHouse({ url, cluster: null });
    await migrateClickHouse(clickHouse);
    await clickHouse.close();
  }
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      await admin.command(`drop database ${name} sync`, LIMITS);
      await admin.close();
    },
  };
}
