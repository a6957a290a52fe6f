import { endpointGroup } from '../endpoint.ts';
import { pageQuery } from '../page.ts';
import { trust, trustBody, trustChange, trustPage } from '../trust.ts';

const ALL = '/api/trusts';
const ONE = `${ALL}/:trust_id` as const;

/** The endpoints for trusts, by which pipelines get tokens without a stored key. */
export const trustEndpoints = endpointGroup({
  listTrusts: {
    method: 'GET',
    path: ALL,
    client: 'trusts.list',
    summary: 'List the trusts',
    description: 'The trusts that the calling key could have created, oldest first.',
    scope: 'key:write',
    query: pageQuery,
    responses: { 200: { description: 'One page of the trusts.', body: trustPage } },
  },

  createTrust: {
    method: 'POST',
    path: ALL,
    client: 'trusts.create',
    summary: 'Create a trust',
    description:
      'A trust accepts tokens of an identity provider, such as that of a CI, and exchanges them for short-lived tokens of its own: ' +
      '`POST /api/auth/token`. It grants at most what the calling key grants, and expires with it.',
    scope: 'key:write',
    work: 'administration',
    body: {
      schema: trustBody,
      examples: {
        'Deployments from GitHub Actions': {
          name: 'Deploy from main',
          issuer: 'https://token.actions.githubusercontent.com',
          audience: 'https://plugins.example.com',
          claims: { repository_id: ['123456789'], environment: ['production'] },
          scopes: ['plugin:write'],
          max_minutes: 15,
        },
      },
    },
    responses: { 201: { description: 'The new trust.', body: trust } },
  },

  updateTrust: {
    method: 'PATCH',
    path: ONE,
    client: 'trusts.update',
    summary: 'Change a trust',
    description: 'Changes only the fields in the body. Tokens that were issued before no longer work.',
    scope: 'key:write',
    work: 'administration',
    body: { schema: trustChange, optional: true, examples: { 'Shorter tokens': { max_minutes: 5 } } },
    responses: { 200: { description: 'The changed trust.', body: trust } },
  },

  deleteTrust: {
    method: 'DELETE',
    path: ONE,
    client: 'trusts.delete',
    summary: 'Delete a trust',
    description: 'Its tokens are rejected from their next request on.',
    scope: 'key:write',
    work: 'administration',
    responses: { 204: { description: 'The trust is deleted.' } },
  },
});
