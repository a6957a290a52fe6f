import type { sessionEndpoints } from '@plugin-config/contract';
import {
  beginSession,
  isToken,
  unusableKey,
  type AccessProbe,
  type ApiKeyStore,
  type Clock,
  type TokenHasher,
} from '@plugin-config/domain';
import { sendNothing } from '@plugin-config/server';
import { sendOwnKey } from '../administration/key-handlers.ts';
import type { Handlers } from '../endpoints/handler.ts';
import type { PageSessions } from './page-sessions.ts';
import { signInAttempts } from './sign-in-attempts.ts';

interface Dependencies {
  readonly keys: ApiKeyStore;
  readonly probe: AccessProbe;
  readonly hasher: TokenHasher;
  readonly clock: Clock;
  readonly sessions: PageSessions;
}

export function sessionHandlers({
  keys,
  probe,
  hasher,
  clock,
  sessions,
}: Dependencies): Handlers<typeof sessionEndpoints> {
  const countAttempt = signInAttempts();
  return {
    beginSession: async ({ request, reply, body: { key: token } }) => {
      sessions.requireOwnPage(request);
      const undo = countAttempt(request.ip, performance.now());
      if (!isToken(token)) throw unusableKey('is unknown');
      const keyHash = hasher.hash(token);
      const { key } = await probe
        .read({ keyHash, project: null, family: null, recordId: null })
        .catch((error: unknown) => {
          undo();
          throw error;
        });
      sessions.begin(request, reply, beginSession(key, keyHash, clock.now()));
      undo();
      sendNothing(reply);
    },

    retrieveSession: async (call) => sendOwnKey(keys, call),

    endSession: async ({ request, reply }) => {
      sessions.requireOwnPage(request);
      sessions.clear(request, reply);
      sendNothing(reply);
    },
  };
}
