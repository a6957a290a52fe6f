import { issueApiKey, type Scope } from '@plugin-config/domain';
import {
  nodeRandomness,
  openDatabase,
  postgresApiKeyStore,
  sha256TokenHasher,
} from '@plugin-config/persistence';

export async function issueToken(databaseUrl: string, scope: Scope): Promise<string> {
  const database = openDatabase({ url: databaseUrl, poolSize: 1 });
  const { token } = await issueApiKey(
    {
      keys: postgresApiKeyStore(database),
      hasher: sha256TokenHasher(),
      randomness: nodeRandomness(),
      clock: { now: () => new Date() },
    },
    { label: 'benchmark', scopes: [scope], projectIds: [], lifetimeMs: null },
  );
  await database.close();
  return token;
}
