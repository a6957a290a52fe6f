import { accessToken, accessTokenBody } from '../access-token.ts';
import { apiKeyBody, apiKeyPage, newApiKey, ownKey } from '../api-key.ts';
import { auditPage } from '../audit.ts';
import { endpointGroup } from '../endpoint.ts';
import { erasure, erasurePage } from '../erasure.ts';
import { location } from '../headers.ts';
import { pageQuery } from '../page.ts';
import { project, projectBody, projectChange, projectDeletion, projectPut } from '../project.ts';
import { attachedRecordsQuery } from '../record-list-query.ts';
import {
  attachedRecordPage,
  pluginBody,
  registeredPlugin,
  registeredPluginPage,
  registrationResult,
} from '../registered-plugin.ts';

const PLUGIN_EXAMPLE = {
  name: 'Webhook',
  url: 'https://example.com',
  config_schema: [{ key: 'retry', type: 'boolean', default: true }],
};

/** The endpoints for keys, projects, registered plugins and the audit log. */
export const administrationEndpoints = endpointGroup({
  retrieveOwnKey: {
    method: 'GET',
    path: '/api/key',
    client: 'key',
    summary: 'Retrieve the calling key',
    scope: null,
    responses: { 200: { description: 'The key.', body: ownKey } },
  },

  listKeys: {
    method: 'GET',
    path: '/api/keys',
    client: 'keys.list',
    summary: 'List the keys',
    description: 'The keys that the calling key could have issued, oldest first.',
    scope: 'key:write',
    query: pageQuery,
    responses: { 200: { description: 'One page of the keys.', body: apiKeyPage } },
  },

  createKey: {
    method: 'POST',
    path: '/api/keys',
    client: 'keys.create',
    summary: 'Issue a key',
    description:
      'A key can only grant scopes, projects and a lifetime that it has itself. The token is returned once, in this response, ' +
      'so the request cannot be repeated.',
    scope: 'key:write',
    work: 'administration',
    body: {
      schema: apiKeyBody,
      examples: {
        'A key of one project': { label: 'deploy script', scopes: ['plugin:write'], project_ids: [1] },
      },
    },
    responses: { 201: { description: 'The key with its token.', body: newApiKey } },
  },

  revokeKey: {
    method: 'DELETE',
    path: '/api/keys/:key_id',
    client: 'keys.revoke',
    summary: 'Revoke a key',
    description: 'The key is rejected from its next request on. Revoking it again has no effect.',
    scope: 'key:write',
    work: 'administration',
    responses: { 204: { description: 'The key is revoked, or already was.' } },
  },

  createToken: {
    method: 'POST',
    path: '/api/tokens',
    client: 'tokens.create',
    summary: 'Issue a short-lived token',
    description:
      'A token grants some of what its key grants, for at most an hour, and ends with its key. It is stored nowhere, so issuing one ' +
      'is no administrative change, and it cannot issue keys or tokens. An account can issue 100 a second.',
    scope: null,
    keyOnly: true,
    work: 'request',
    body: {
      schema: accessTokenBody,
      examples: {
        'For a customer': {
          scopes: ['config:write'],
          subject: { id: 'user-17', name: 'Ada Lovelace' },
          expires_in: 600,
        },
      },
    },
    responses: { 201: { description: 'The token.', body: accessToken } },
  },

  createProject: {
    method: 'POST',
    path: '/api/projects',
    summary: 'Create a project',
    scope: 'project:write',
    unbound: true,
    work: 'administration',
    conflict: 'already_exists',
    body: {
      schema: projectBody,
      examples: {
        'A project': { name: 'Web shop' },
        'A tenant of yours': { name: 'Acme', external_id: 'acme-corp' },
      },
    },
    responses: { 201: { description: 'The project.', body: project, headers: { Location: location } } },
  },

  putProject: {
    method: 'PUT',
    path: '/api/projects/:project_id',
    client: 'put',
    summary: 'Create or rename the project with an external id',
    description:
      'Safe to repeat and to send concurrently: there is at most one project with an external id. Without a name, a new project ' +
      'is named after its external id, and an existing one keeps its name.',
    scope: 'project:write',
    unbound: true,
    needs: 'key',
    work: 'administration',
    body: { schema: projectPut, optional: true, examples: { 'A name': { name: 'Acme' }, 'No name': {} } },
    responses: {
      200: { description: 'The project, which existed.', body: project },
      201: { description: 'The new project.', body: project, headers: { Location: location } },
    },
  },

  updateProject: {
    method: 'PATCH',
    path: '/api/projects/:project_id',
    client: 'update',
    summary: 'Change the name, external id or log quota of a project',
    description: 'Setting the quota requires a key with the scope `*`.',
    scope: 'project:write',
    unbound: true,
    work: 'administration',
    conflict: 'already_exists',
    body: {
      schema: projectChange,
      examples: {
        'A new name': { name: 'Web shop' },
        'An external id': { external_id: 'acme-corp' },
        'A quota': { log_quota: { entries_per_day: 1_000_000, bytes_per_day: null } },
        'The default quota': { log_quota: null },
      },
    },
    responses: { 200: { description: 'The project.', body: project } },
  },

  deleteProject: {
    method: 'DELETE',
    path: '/api/projects/:project_id',
    client: 'delete',
    summary: 'Delete a project and everything in it',
    description:
      'The project is gone with this response: its keys are revoked, its streams end, and its data key is destroyed, so its ' +
      'configurations are unreadable. Its rows are then removed in the background, which `Location` reports. This cannot be ' +
      'undone. Repeating the request has no effect.',
    scope: 'project:write',
    unbound: true,
    needs: 'key',
    work: 'administration',
    body: { schema: projectDeletion, examples: { 'The name': { name: 'Web shop' } } },
    responses: {
      202: { description: 'The erasure, which has begun.', body: erasure, headers: { Location: location } },
    },
  },

  listErasures: {
    method: 'GET',
    path: '/api/erasures',
    client: 'erasures.list',
    summary: 'List the erasures of deleted projects',
    description: 'The newest project first.',
    scope: 'project:write',
    unbound: true,
    query: pageQuery,
    responses: { 200: { description: 'One page of the erasures.', body: erasurePage } },
  },

  retrieveErasure: {
    method: 'GET',
    path: '/api/erasures/:project_id',
    client: 'erasures.retrieve',
    summary: 'Retrieve the erasure of a deleted project',
    scope: 'project:write',
    unbound: true,
    responses: { 200: { description: 'The erasure.', body: erasure } },
  },

  listPlugins: {
    method: 'GET',
    path: '/api/plugins',
    client: 'plugins.list',
    summary: 'List the registered plugins',
    description: 'Sorted by id.',
    scope: 'plugin:read',
    orScope: 'config:write',
    query: pageQuery,
    responses: { 200: { description: 'One page of the plugins.', body: registeredPluginPage } },
  },

  retrievePlugin: {
    method: 'GET',
    path: '/api/plugins/:plugin_id',
    client: 'plugins.retrieve',
    summary: 'Retrieve a registered plugin',
    scope: 'plugin:read',
    orScope: 'config:write',
    responses: { 200: { description: 'The plugin.', body: registeredPlugin } },
  },

  registerPlugin: {
    method: 'PUT',
    path: '/api/plugins/:plugin_id',
    client: 'plugins.register',
    summary: 'Register a plugin or replace its registration',
    description:
      'From then on, changes to configurations are checked against the schema. Values that it declares secret are masked ' +
      'everywhere, even if a later schema no longer declares them secret. Enabled records whose configuration the schema ' +
      'rejects stay enabled and are marked: `records` counts them. Repeating a registration has no effect.\n\n' +
      'A slug in the path that no plugin has registers a new plugin, whose id is above every id that was ever registered or ' +
      'attached to a record. Concurrent requests register one plugin.',
    scope: 'plugin_registry:write',
    unbound: true,
    work: 'administration',
    conflict: 'already_exists',
    body: {
      schema: pluginBody,
      examples: { 'A plugin with a field': PLUGIN_EXAMPLE, 'A slug': { name: 'Webhook', slug: 'webhook' } },
    },
    responses: { 200: { description: 'The plugin, and how many records it has.', body: registrationResult } },
  },

  listPluginRecords: {
    method: 'GET',
    path: '/api/plugins/:plugin_id/records',
    client: 'plugins.records',
    summary: 'List the records of a plugin',
    description:
      'The records of all projects of the key that are not deleted, sorted by project, family and id, without configurations.',
    scope: 'plugin:read',
    query: attachedRecordsQuery,
    responses: { 200: { description: 'One page of the records.', body: attachedRecordPage } },
  },

  removePlugin: {
    method: 'DELETE',
    path: '/api/plugins/:plugin_id',
    client: 'plugins.remove',
    summary: 'Remove the registration of a plugin',
    description: 'The records of the plugin are kept.',
    scope: 'plugin_registry:write',
    unbound: true,
    work: 'administration',
    responses: { 204: { description: 'The plugin is no longer registered.' } },
  },

  listAudit: {
    method: 'GET',
    path: '/api/audit',
    client: 'audit',
    summary: 'List administrative changes',
    description: 'Changes made through the API or by the operator, newest first.',
    scope: '*',
    unbound: true,
    query: pageQuery,
    responses: { 200: { description: 'One page of the changes.', body: auditPage } },
  },
});
