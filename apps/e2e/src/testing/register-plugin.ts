import type { Registration } from '@plugin-config/client';
import { expect } from 'vitest';
import { operator } from './operator.ts';
import type { RunningService } from './running-service.ts';

/** Registers a plugin, or registers it again, as an operator does. */
export async function registerPlugin(
  { databaseUrl }: Pick<RunningService, 'databaseUrl'>,
  plugin: Registration & { readonly id: number },
  secretsKeys: string,
): Promise<void> {
  const env = { DATABASE_URL: databaseUrl, SECRETS_KEYS: secretsKeys };
  const input = JSON.stringify(plugin);
  expect(await operator(['plugin', 'register', '-'], { env, input })).toMatchObject({ code: 0 });
}
