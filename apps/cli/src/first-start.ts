import { issueApiKey } from '@plugin-config/domain';
import { operator } from './operator.ts';
import { withServices } from './with-services.ts';

const ONE = { limit: 1, offset: 0 };
const PROJECT = 'Default project';
const KEY = { label: 'first key', scopes: ['*'], projectIds: [], expiresAt: null } as const;

/**
 * Creates the first project and a key with all scopes. Returns null if both exist; completes a first start that was
 * interrupted.
 */
export async function firstStart(
  databaseUrl: string,
  secretsKeys: string,
): Promise<{ readonly apiKey: string } | null> {
  return withServices({ DATABASE_URL: databaseUrl, SECRETS_KEYS: secretsKeys }, async (services) => {
    const { projects, keys } = services;
    const { count } = await projects.list(ONE, []);
    if (count > 0 && (await keys.list(ONE, null)).count > 0) return null;
    const author = operator(services);
    if (count === 0) await projects.create(PROJECT, author);
    const { token } = await issueApiKey(services, { request: KEY, issuer: null, author });
    return { apiKey: token };
  });
}
