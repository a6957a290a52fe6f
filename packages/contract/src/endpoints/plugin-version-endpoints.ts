import { endpointGroup } from '../endpoint.ts';
import { location } from '../headers.ts';
import { pageQuery } from '../page.ts';
import { pluginUpgrade, upgradeAllBody } from '../plugin-upgrade.ts';
import {
  pluginVersion,
  pluginVersionPage,
  upgradePlan,
  versionBody,
  versionChange,
} from '../plugin-version.ts';

const ALL = '/api/plugins/:plugin_id/versions';
const ONE = `${ALL}/:version` as const;
const UPGRADE = `${ONE}/upgrade` as const;

/** The endpoints for the versions of plugins. */
export const pluginVersionEndpoints = endpointGroup({
  listPluginVersions: {
    method: 'GET',
    path: ALL,
    client: 'plugins.versions',
    summary: 'List the versions of a plugin',
    description: 'The one that was registered last comes first.',
    scope: 'plugin:read',
    query: pageQuery,
    responses: { 200: { description: 'One page of the versions.', body: pluginVersionPage } },
  },

  registerPluginVersion: {
    method: 'PUT',
    path: ONE,
    client: 'plugins.registerVersion',
    summary: 'Register a version of a plugin',
    description:
      'A version never changes, and registering the same one again has no effect. Its schema is compared with that of the others ' +
      'of its schema version: if it differs in more than texts, order, and further optional fields or choices, it needs the next ' +
      'schema version and a migration from the one before. A migration is checked by the examples of older versions.\n\n' +
      'The first version of a plugin that declares nothing becomes current; others are supported until they are made current.',
    scope: 'plugin_registry:write',
    unbound: true,
    work: 'administration',
    conflict: 'already_exists',
    body: {
      schema: versionBody,
      examples: {
        'A version with a migration': {
          schema_version: 2,
          config_schema: [{ key: 'retry', type: 'boolean' }],
          migrations: [{ from: 1, steps: [{ rename: { from: 'retries', to: 'retry' } }] }],
          examples: [{ retry: true }],
        },
      },
    },
    responses: { 200: { description: 'The version.', body: pluginVersion } },
  },

  updatePluginVersion: {
    method: 'PATCH',
    path: ONE,
    client: 'plugins.updateVersion',
    summary: 'Change the state of a version',
    description:
      'Making a version current registers the plugin as it says, and the former current version is supported from then on. ' +
      'No configuration is changed.',
    scope: 'plugin_registry:write',
    unbound: true,
    work: 'administration',
    body: {
      schema: versionChange,
      examples: {
        'A new current version': { state: 'current' },
        'A deprecated version': {
          state: 'deprecated',
          message: 'Its API ends in June.',
          upgrade_by: '2027-06-01T00:00:00Z',
        },
      },
    },
    responses: { 200: { description: 'The version after the change.', body: pluginVersion } },
  },

  planUpgrade: {
    method: 'POST',
    path: `${ONE}/plan`,
    operationId: 'plan_plugin_upgrade',
    client: 'plugins.planUpgrade',
    summary: 'Plan an upgrade of all records to a version',
    description:
      'Changes nothing. Says for each record of the plugin whether it can be upgraded, and what those lack that cannot, without ' +
      'values of configurations. A record counts once: as `pinned` to another version, `unsupported` by a runtime, in need of input, ' +
      'losing something, or clean.',
    scope: 'plugin:read',
    unbound: true,
    work: 'slow',
    responses: { 200: { description: 'The plan.', body: upgradePlan } },
  },

  upgradeRecords: {
    method: 'POST',
    path: UPGRADE,
    client: 'plugins.upgradeRecords',
    summary: 'Upgrade all records of a plugin',
    description:
      'Upgrades all records of the plugin to this version in the background, each in a transaction of its own. Pinned records, and ' +
      'those that need input, stay as they are. While an upgrade to this version is running, it is returned, whatever the body says.',
    scope: 'plugin:write',
    unbound: true,
    work: 'administration',
    body: { schema: upgradeAllBody, optional: true, examples: { 'All that runtimes know': {} } },
    responses: {
      202: { description: 'The upgrade.', body: pluginUpgrade, headers: { Location: location } },
    },
  },

  retrieveUpgrade: {
    method: 'GET',
    path: UPGRADE,
    client: 'plugins.upgrade',
    summary: 'Retrieve the last upgrade of all records',
    scope: 'plugin:read',
    unbound: true,
    responses: { 200: { description: 'The last upgrade to this version.', body: pluginUpgrade } },
  },

  cancelUpgrade: {
    method: 'DELETE',
    path: UPGRADE,
    client: 'plugins.cancelUpgrade',
    summary: 'Cancel an upgrade of all records',
    description:
      'Records that are being upgraded at the moment are still upgraded. An upgrade that has ended stays as it is.',
    scope: 'plugin:write',
    unbound: true,
    work: 'administration',
    responses: { 204: { description: 'No upgrade to this version is running.' } },
  },
});
