import type { sessionEndpoints, WireEndedSessions } from '@plugin-config/contract';
import { beginSession, DomainError, isToken, powersOf, unusableKey } from '@plugin-config/domain';
import { accessOf, sendJson, sendNothing } from '@plugin-config/server';
import { sendOwnKey } from '../administration/key-handlers.ts';
import type { Handlers } from '../endpoints/handler.ts';
import { signInAttempts } from './sign-in-attempts.ts';
import type { Services } from '../services.ts';

/** Means all users. */
const EVERYBODY = '*';

export function sessionHandlers({
  keys,
  probe,
  hasher,
  clock,
  sessions,
  users,
  keysSignIn,
}: Services): Handlers<typeof sessionEndpoints> {
  const countAttempt = signInAttempts();
  return {
    beginSession: async ({ request, reply, body: { key: token } }) => {
      if (!keysSignIn) throw keysOff();
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

    endSessions: async ({ request, reply, body: { subject }, author }) => {
      const powers = powersOf(accessOf(request).key);
      const ended = await users.endSessions(subject === EVERYBODY ? null : subject, powers, author);
      const response: WireEndedSessions = { ended };
      sendJson(reply, response);
    },
  };
}

function keysOff(): DomainError {
  return new DomainError(
    'not_granted',
    'Signing in with a key is turned off (SIGN_IN). Sign in with the identity provider.',
  );
}
