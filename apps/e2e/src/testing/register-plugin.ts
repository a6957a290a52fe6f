import type { Registration } from '@plugin-config/client';
import { TEST_SECRETS_KEYS } from '@plugin-config/persistence/testing';
import { expect } from 'vitest';
import { operator } from './operator.ts';
import type { RunningService } from './running-service.ts';

/** Registers a plugin, or registers it again, as an operator does. */
export async function registerPlugin(
  { databaseUrl }: Pick<RunningService, 'databaseUrl'>,
  plugin: Registration & { readonly id: number },
): Promise<void> {
  const env = { DATABASE_URL: databaseUrl, SECRETS_KEYS: TEST_SECRETS_KEYS };
  const input = JSON.stringify(plugin);
  expect(await operator(['plugin', 'register', '-'], { env, input })).toMatchObject({ code: 0 });
}
