import { issueApiKey } from '@plugin-config/domain';
import { withServices } from './with-services.ts';

const PROJECT = 'Default project';
const KEY = { label: 'first key', scopes: ['*'], projectIds: [], lifetimeMs: null } as const;

/**
 * Creates the first project and a key with all scopes. Returns null if both exist; an interrupted first start is
 * completed.
 */
export async function firstStart(databaseUrl: string): Promise<{ readonly apiKey: string } | null> {
  return withServices({ DATABASE_URL: databaseUrl }, async (services) => {
    const { projects, keys, clock } = services;
    const { count } = await projects.list({ limit: 1, offset: 0 }, []);
    if (count > 0 && (await keys.list()).length > 0) return null;
    if (count === 0) await projects.create(PROJECT, clock.now());
    const { token } = await issueApiKey(services, KEY);
    return { apiKey: token };
  });
}
