import * as z from 'zod';
import { ownKey } from '../api-key.ts';
import { endpoint } from '../endpoint.ts';
import { filledText } from '../text.ts';

const KEY_MAX = 200;

export const sessionBody = z
  .object({ key: filledText(KEY_MAX).meta({ description: 'The token of an API key.' }) })
  .meta({ id: 'BeginSession', description: 'The key to sign in with.' });

/** The endpoints for signing in to and out of pages of the service. */
export const sessionEndpoints = {
  beginSession: endpoint({
    method: 'POST',
    path: '/api/session',
    operationId: 'begin_session',
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
  }),

  retrieveSession: endpoint({
    method: 'GET',
    path: '/api/session',
    operationId: 'retrieve_session',
    client: 'session.retrieve',
    summary: 'Retrieve the key of the session',
    scope: null,
    needs: 'key',
    work: 'page',
    responses: { 200: { description: 'The key.', body: ownKey } },
  }),

  endSession: endpoint({
    method: 'DELETE',
    path: '/api/session',
    operationId: 'end_session',
    client: 'session.end',
    summary: 'Sign out',
    description: 'Clears the cookie, even if the session has already ended.',
    scope: null,
    needs: 'page',
    work: 'request',
    responses: { 204: { description: 'The browser no longer has a session.' } },
  }),
};
