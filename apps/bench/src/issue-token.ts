import { issueApiKey, OPERATOR, type Scope } from '@plugin-config/domain';
import { openDatabase, postgresPorts } from '@plugin-config/persistence';

export async function issueToken(databaseUrl: string, scope: Scope): Promise<string> {
  const database = openDatabase({ url: databaseUrl, poolSize: 1 });
  const { token } = await issueApiKey(postgresPorts(database), {
    request: {
      label: 'benchmark',
      scopes: [scope],
      projectIds: [],
      pluginIds: [],
      expiresAt: null,
      accountId: null,
    },
    issuer: null,
    author: { actor: OPERATOR, requestId: null, at: new Date() },
  });
  await database.close();
  return token;
}
