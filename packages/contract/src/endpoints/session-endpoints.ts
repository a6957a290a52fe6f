import * as z from 'zod';
import { USER_SUBJECT_MAX } from '@plugin-config/domain/vocabulary';
import { ownKey } from '../api-key.ts';
import { endpointGroup } from '../endpoint.ts';
import { integer } from '../integer.ts';
import { filledText } from '../text.ts';

const KEY_MAX = 200;

export const sessionBody = z
  .object({ key: filledText(KEY_MAX).meta({ description: 'The token of an API key.' }) })
  .meta({ id: 'BeginSession', description: 'The key to sign in with.' });

const USERS_MAX = 1_000_000_000;

export const sessionsEndBody = z
  .strictObject({
    subject: filledText(USER_SUBJECT_MAX).meta({
      description: 'The subject (`sub`) of the user at the identity provider, or `*` for all users.',
    }),
  })
  .meta({ id: 'EndSessions', description: 'Whose sessions to end.' });

export const endedSessions = z
  .object({ ended: integer({ min: 0, max: USERS_MAX }).meta({ description: 'The number of users.' }) })
  .meta({
    id: 'EndedSessions',
    description: 'How many users have to sign in again.',
    examples: [{ ended: 1 }],
  });

export type WireEndedSessions = z.infer<typeof endedSessions>;

/** The endpoints for signing in to and out of pages of the service. */
export const sessionEndpoints = endpointGroup({
  beginSession: {
    method: 'POST',
    path: '/api/session',
    client: 'session.begin',
    summary: 'Sign in',
    description:
      'Sets a cookie that authenticates requests from pages of this service that have no `Authorization` header. Programs ' +
      'send their key with each request instead.',
    scope: null,
    needs: 'page',
    // Has no key, and therefore no account. Failed sign-ins are limited instead.
    work: 'request',
    body: {
      schema: sessionBody,
      examples: { 'A key': { key: `phx_${'0'.repeat(43)}` } },
    },
    responses: { 204: { description: 'The session has begun.' } },
  },

  retrieveSession: {
    method: 'GET',
    path: '/api/session',
    client: 'session.retrieve',
    summary: 'Retrieve the key of the session',
    scope: null,
    responses: { 200: { description: 'The key.', body: ownKey } },
  },

  endSession: {
    method: 'DELETE',
    path: '/api/session',
    client: 'session.end',
    summary: 'Sign out',
    description: 'Clears the cookie, even if the session has already ended.',
    scope: null,
    needs: 'page',
    work: 'request',
    responses: { 204: { description: 'The browser no longer has a session.' } },
  },

  endSessions: {
    method: 'POST',
    path: '/api/sessions/end',
    client: 'sessions.end',
    summary: 'End the sessions of a user',
    description:
      'For users of the identity provider: their sessions are rejected from the next request on, and their streams end within 15 ' +
      'seconds. Only users count whose rights the calling key could grant. The session of a key ends by revoking the key.',
    scope: 'key:write',
    work: 'administration',
    body: {
      schema: sessionsEndBody,
      examples: { 'One user': { subject: '248289761001' }, 'All users': { subject: '*' } },
    },
    responses: { 200: { description: 'The sessions have ended.', body: endedSessions } },
  },
});
