import { issueApiKey } from '@plugin-config/domain';
import { openServices } from './container.ts';

const PROJECT = 'Default project';
const KEY = { label: 'first key', scopes: ['*'], projectIds: [], lifetimeMs: null } as const;

/**
 * What a newcomer needs to begin: a project, and a key for everything. Null where that is there; one that was
 * interrupted between the two goes on where it stopped.
 */
export async function firstStart(url: string): Promise<{ readonly apiKey: string } | null> {
  await using services = await openServices({ url, secretsKeys: undefined });
  const { projects, keys, clock } = services;
  const { count } = await projects.list({ limit: 1, offset: 0 }, []);
  if (count === 0) await projects.create(PROJECT, clock.now());
  else if ((await keys.list()).length > 0) return null;
  const { token } = await issueApiKey(services, KEY);
  return { apiKey: token };
}
