import { familyActivityPage, familyActivityQuery } from '../activity.ts';
import { configRecord, configRecordPage } from '../config-record.ts';
import { endpointGroup } from '../endpoint.ts';
import { recordHeaders, etag, etagOfMoved, etagOfStored, familyVersion, location } from '../headers.ts';
import { rearrangeResponse, rearrangeBody } from '../rearrange.ts';
import {
  configurationBody,
  configurationPatch,
  createBody,
  replaceBody,
  updateBody,
} from '../record-bodies.ts';
import { pinBody, upgradeBody } from '../plugin-version.ts';
import { recordListQuery } from '../record-list-query.ts';
import { reportedErrorPage, reportedErrorQuery } from '../reported-error.ts';

const ALL = '/api/projects/:project_id/:family';
const ONE = `${ALL}/:id` as const;

const tagged = { ETag: etag };
const versioned = { ...tagged, 'x-family-version': familyVersion };
const changedRecord = {
  description: 'The changed record.',
  body: configRecord,
  headers: { ETag: etagOfStored },
};

/** The endpoints that read and write records, for every family. */
export const recordEndpoints = endpointGroup({
  listRecords: {
    method: 'GET',
    path: ALL,
    client: 'list',
    summary: 'List the records',
    description:
      'Sorted by `order`, then `id`. Deleted records are left out unless `deleted=true`. With `changed_since`, only records ' +
      'that have changed since, including deleted ones: poll with the `x-family-version` of the previous response.',
    scope: 'plugin:read',
    orScope: 'config:write',
    query: recordListQuery,
    condition: 'If-None-Match',
    responses: {
      200: { description: 'One page of the records.', body: configRecordPage, headers: versioned },
    },
  },

  listActivity: {
    method: 'GET',
    path: `${ALL}/activity`,
    operationId: 'list_{many}_activity',
    client: 'familyActivity',
    summary: 'List the changes to all records',
    description:
      'The history of all records, including deleted ones, newest first. In a history of millions of entries, the query may take ' +
      'too long and be aborted with 400; narrow it down with `record`.',
    scope: 'plugin:read',
    // Reads the histories of all records, within a time limit.
    work: 'slow',
    query: familyActivityQuery,
    responses: { 200: { description: 'One page of the history.', body: familyActivityPage } },
  },

  listErrors: {
    method: 'GET',
    path: `${ALL}/errors`,
    operationId: 'list_{many}_errors',
    client: 'errors',
    summary: 'List the errors of the records',
    description:
      'The current error of each record that has one, most recent first. Deleted records are left out.',
    scope: 'plugin:read',
    orScope: 'config:write',
    query: reportedErrorQuery,
    responses: { 200: { description: 'One page of the errors.', body: reportedErrorPage } },
  },

  createRecord: {
    method: 'POST',
    path: ALL,
    client: 'create',
    summary: 'Create a record',
    description:
      'Attaches a plugin to the project. Without an `order`, the record is added at the end. A configuration is checked against ' +
      'the schema of the plugin, and so is an enabled record without one.',
    scope: 'plugin:write',
    work: 'fields',
    idempotent: true,
    conflict: 'idempotency_in_flight',
    body: {
      schema: createBody,
      examples: {
        'Configured and enabled, at the end': {
          plugin: 7,
          enabled: true,
          name: 'GeoIP for the shop',
          config: { host: 'example.com', token: 'a secret' },
        },
        'Only the required field': { plugin: 7 },
      },
    },
    responses: {
      201: {
        description: 'The new record.',
        body: configRecord,
        headers: { ETag: etagOfStored, Location: location },
      },
    },
  },

  rearrangeRecords: {
    method: 'PATCH',
    path: `${ALL}/rearrange`,
    client: 'rearrange',
    summary: 'Move a record to another position',
    description:
      'Moves the record of `plugin` to `order`. If several records attach the plugin, the other fields identify the record. ' +
      'The remaining records keep their relative order. `If-Match` takes the tag of a list.\n\n' +
      'The older form, `orders` alone, sets the positions of several records at once.',
    scope: 'plugin:write',
    work: 'slow',
    condition: 'If-Match',
    body: {
      schema: rearrangeBody,
      examples: {
        'To the first position': { plugin: 7, order: 1 },
        'The older form': { orders: { 42: 1, 43: 2 } },
      },
    },
    responses: {
      200: {
        description: 'The moved record; in the older form, all live records in their new order.',
        body: rearrangeResponse,
        headers: { ETag: etagOfMoved },
      },
    },
  },

  retrieveRecord: {
    method: 'GET',
    path: ONE,
    client: 'retrieve',
    summary: 'Retrieve a record',
    description: 'Deleted records are also returned.',
    scope: 'plugin:read',
    orScope: 'config:write',
    needs: 'family',
    work: 'request',
    condition: 'If-None-Match',
    responses: {
      200: { description: 'The record.', body: configRecord, headers: { ...versioned, ...recordHeaders } },
    },
  },

  updateRecord: {
    method: 'PATCH',
    path: ONE,
    client: 'update',
    summary: 'Update a record',
    description:
      'Changes only the fields in the body. `deleted: true` also disables the record. `deleted: false` restores it, ' +
      'disabled unless `enabled` is true. A deleted record cannot be enabled without restoring it.\n\n' +
      'With the scope `config:write`, only `name`, `description`, `config` and `enabled` can change.',
    scope: 'plugin:write',
    orScope: 'config:write',
    work: 'fields',
    condition: 'If-Match',
    body: {
      schema: updateBody,
      optional: true,
      examples: { Disable: { enabled: false }, Restore: { deleted: false, enabled: true } },
    },
    responses: { 200: changedRecord },
  },

  replaceRecord: {
    method: 'PUT',
    path: ONE,
    client: 'replace',
    summary: 'Replace a record',
    description:
      'Sets every writable field. An absent field is reset to its default: `enabled` and `deleted` to false, `name` and ' +
      '`description` to null. An absent `order` is kept.',
    scope: 'plugin:write',
    work: 'fields',
    condition: 'If-Match',
    body: {
      schema: replaceBody,
      examples: {
        'Enabled, without a description': { plugin: 7, enabled: true, name: 'GeoIP for the shop' },
      },
    },
    responses: { 200: changedRecord },
  },

  deleteRecord: {
    method: 'DELETE',
    path: ONE,
    client: 'delete',
    summary: 'Delete a record',
    description: 'Marks the record as deleted and disables it. An update can restore it.',
    scope: 'plugin:write',
    work: 'request',
    condition: 'If-Match',
    responses: { 204: { description: 'The record is deleted, or was already.' } },
  },

  setConfiguration: {
    method: 'PUT',
    path: `${ONE}/config`,
    summary: 'Replace the configuration of a record',
    description:
      'At most 256 KiB of compact JSON. If the plugin is registered with a schema, the values are checked ' +
      'against it. A secret that is missing or sent back masked keeps its value; an empty string clears it.',
    scope: 'plugin:write',
    orScope: 'config:write',
    work: 'configuration',
    condition: 'If-Match',
    body: {
      schema: configurationBody,
      optional: true,
      examples: { 'Change a value, keep a secret': { host: 'example.com', token: '********' } },
    },
    responses: { 200: changedRecord },
  },

  pinRecord: {
    method: 'PUT',
    path: `${ONE}/plugin_version`,
    client: 'pin',
    summary: 'Pin a record to a version of its plugin',
    description:
      'The version must have the schema version of the configuration. A pinned record keeps its version when another one becomes ' +
      'current, and is not upgraded with others.',
    scope: 'plugin:write',
    work: 'large',
    condition: 'If-Match',
    body: {
      schema: pinBody,
      examples: { 'The current one': { version: null }, 'A version': { version: '2.3.1' } },
    },
    responses: { 200: changedRecord },
  },

  upgradeRecord: {
    method: 'POST',
    path: `${ONE}/upgrade`,
    client: 'upgrade',
    summary: 'Upgrade a record to a version of its plugin',
    description:
      'Migrates the configuration, as a new revision. The record follows the current version from then on, and is pinned to any ' +
      'other. If a person has to decide something, the response is 400 with `errors`, and nothing changes. As long as runtimes that ' +
      'are online do not understand the new schema, it is 409, unless you send `force`.',
    scope: 'plugin:write',
    work: 'large',
    condition: 'If-Match',
    conflict: 'runtime_behind',
    body: {
      schema: upgradeBody,
      optional: true,
      examples: {
        'The current version': {},
        'A version that some runtimes do not know': { version: '2.3.1', force: true },
      },
    },
    responses: { 200: changedRecord },
  },

  patchConfiguration: {
    method: 'PATCH',
    path: `${ONE}/config`,
    summary: 'Change entries of the configuration of a record',
    description:
      'Changes only the entries in the body, under the rules of the replacement. `null` removes an entry, so that its default applies.',
    scope: 'plugin:write',
    orScope: 'config:write',
    work: 'configuration',
    condition: 'If-Match',
    body: {
      schema: configurationPatch,
      optional: true,
      examples: { 'Change one entry, remove another': { host: 'example.com', port: null } },
    },
    responses: { 200: changedRecord },
  },
});
