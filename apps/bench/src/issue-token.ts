import { issueApiKey, type Scope } from '@plugin-config/domain';
import { openDatabase, postgresPorts } from '@plugin-config/persistence';

export async function issueToken(databaseUrl: string, scope: Scope): Promise<string> {
  const database = openDatabase({ url: databaseUrl, poolSize: 1 });
  const { token } = await issueApiKey(
    { ...postgresPorts(database), clock: { now: () => new Date() } },
    { label: 'benchmark', scopes: [scope], projectIds: [], lifetimeMs: null },
  );
  await database.close();
  return token;
}
