import { headersOf, pluginConfigClient, type OwnApiKey } from '@plugin-config/client';
import { SERVICE_URL } from '../shell/service.ts';

/** What the page knows about its token. */
export interface TokenState {
  /** Null until there is a token. */
  readonly key: OwnApiKey | null;
  /** Why there is no newer token. */
  readonly error: Error | null;
}

export interface Tokens {
  /** Sends a request with the token, and once more with a new one if it has ended. */
  readonly fetch: typeof fetch;
  /** Asks for another token. */
  readonly renew: () => Promise<void>;
  readonly state: () => TokenState;
  readonly subscribe: (listener: () => void) => () => void;
}

interface Held {
  readonly token: string;
  /** Aborted once there is another token. */
  readonly replaced: AbortController;
}

/** How long before its end a token is replaced, unless it lives for less than twice as long. */
const EARLY_MS = 60_000;
const UNAUTHENTICATED = 401;

/** Keeps a token in memory, and replaces it before it ends by another that `ask` gets from the product. */
export function openTokens(ask: () => Promise<string>): Tokens {
  let held: Held | null = null;
  let asking: Promise<Held> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let state: TokenState = { key: null, error: null };
  const listeners = new Set<() => void>();
  const show = (next: TokenState): void => {
    state = next;
    for (const listener of listeners) listener();
  };

  const replace = async (): Promise<Held> => {
    const token = await ask();
    const { key, msLeft } = await inspect(token);
    held?.replaced.abort();
    held = { token, replaced: new AbortController() };
    clearTimeout(timer);
    timer = setTimeout(() => void renew(), Math.max(msLeft - EARLY_MS, msLeft / 2));
    show({ key, error: null });
    return held;
  };
  const next = async (): Promise<Held> => {
    asking ??= replace()
      .catch((error: unknown) => {
        show({ ...state, error: error as Error });
        throw error;
      })
      .finally(() => {
        asking = null;
      });
    return asking;
  };
  const renew = async (): Promise<void> => {
    await next().catch(() => {});
  };

  const sendWith = async ({ token, replaced }: Held, ...[input, init]: Parameters<typeof fetch>) => {
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${token}`);
    // A stream ends with its token. Ended before, it resumes at once with the next.
    const isStream = headers.get('accept') === 'text/event-stream';
    const signals = [init?.signal ?? [], isStream ? replaced.signal : []].flat();
    const signal = AbortSignal.any(signals);
    return fetch(input, { ...init, headers, signal, credentials: 'omit' });
  };

  return {
    renew,
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    fetch: async (...request) => {
      const used = held ?? (await next());
      const response = await sendWith(used, ...request);
      if (response.status !== UNAUTHENTICATED) return response;
      const other = held === used ? await next().catch(() => null) : held;
      if (other === null) return response;
      await response.body?.cancel();
      return sendWith(other, ...request);
    },
  };
}

/** Asks the service what a token grants and, by its clock, for how long. Rejects a key, which must not be in a browser. */
async function inspect(token: string): Promise<{ readonly key: OwnApiKey; readonly msLeft: number }> {
  if (!token.startsWith('pct_')) throw new Error('The product did not send a token.');
  const send: typeof fetch = async (input, init) => fetch(input, { ...init, credentials: 'omit' });
  const key = await pluginConfigClient({ url: SERVICE_URL, key: token, fetch: send }).key();
  const now = Date.parse(headersOf(key)?.get('date') ?? '');
  return { key, msLeft: Date.parse(key.expires_at ?? '') - now };
}
