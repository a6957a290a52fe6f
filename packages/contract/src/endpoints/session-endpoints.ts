import { ownKey } from '../api-key.ts';
import { endpoint } from '../endpoint.ts';
import { sessionBody } from '../session.ts';

/** The endpoints with which a page of the service signs in and out. */
export const sessionEndpoints = {
  beginSession: endpoint({
    method: 'POST',
    path: '/api/session',
    operationId: 'begin_session',
    summary: 'Sign in',
    description:
      'Sets a cookie that stands for the key, for requests of pages of this service without `Authorization`. Programs send ' +
      'their key with each request instead.',
    scope: null,
    needs: 'page',
    body: {
      schema: sessionBody,
      required: true,
      examples: { 'A key': { key: `phx_${'0'.repeat(43)}` } },
    },
    answers: { 204: { description: 'The session has begun.' } },
  }),

  retrieveSession: endpoint({
    method: 'GET',
    path: '/api/session',
    operationId: 'retrieve_session',
    summary: 'Retrieve the key of the session',
    scope: null,
    needs: 'key',
    answers: { 200: { description: 'The key.', body: ownKey } },
  }),

  endSession: endpoint({
    method: 'DELETE',
    path: '/api/session',
    operationId: 'end_session',
    summary: 'Sign out',
    description: 'Clears the cookie, also if the session has ended already.',
    scope: null,
    needs: 'page',
    answers: { 204: { description: 'The browser has no session any more.' } },
  }),
};
