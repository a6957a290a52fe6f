import { headersOf, pluginConfigClient } from '@plugin-config/client';
import { SERVICE_URL } from '../shell/service.ts';
import type { Inspected } from './tokens.ts';

/** Asks the service what a token grants and, by its clock, for how long. Rejects a key, which must not be in a browser. */
export async function inspectToken(token: string): Promise<Inspected> {
  if (!token.startsWith('pct_')) throw new Error('The product did not send a token.');
  const send: typeof fetch = async (input, init) => fetch(input, { ...init, credentials: 'omit' });
  const key = await pluginConfigClient({ url: SERVICE_URL, key: token, fetch: send }).key();
  const now = Date.parse(headersOf(key)?.get('date') ?? '');
  return { key, msLeft: Date.parse(key.expires_at ?? '') - now };
}
