import { applied, applyBody, document, DOCUMENT_MAX_BYTES, plan, planBody } from '../declaration.ts';
import { endpointGroup } from '../endpoint.ts';
import { etagOfResponse } from '../headers.ts';
import {
  adoptBody,
  drift,
  managerQuery,
  ownedListQuery,
  ownedRecordPage,
  ownedRecords,
} from '../ownership.ts';

const CONFIGURATION = '/api/projects/:project_id/configuration';
const DOCUMENT = {
  format: 1,
  manager: 'checkout-team',
  plugin_configs: [{ key: 'geoip', plugin: 3, enabled: true, config: { database: 'city' } }],
};

/** The endpoints that read and write the records of a manager as one document. */
export const declarationEndpoints = endpointGroup({
  exportConfiguration: {
    method: 'GET',
    path: CONFIGURATION,
    client: 'configuration.export',
    summary: 'Export the records of a manager as a document',
    description:
      'Contains live records only, without ids and defaults, and with references instead of secrets.',
    scope: 'plugin:read',
    work: 'slow',
    query: managerQuery,
    condition: 'If-None-Match',
    responses: {
      200: { description: 'The document.', body: document, headers: { ETag: etagOfResponse } },
    },
  },

  planConfiguration: {
    method: 'POST',
    path: `${CONFIGURATION}/plan`,
    client: 'configuration.plan',
    summary: 'Plan what a document would change',
    description:
      'Changes nothing. Sending `secrets` requires the scope `plugin:write`, since the plan reveals whether they match the stored ones.',
    scope: 'plugin:read',
    work: 'slow',
    body: {
      schema: planBody,
      maxBytes: DOCUMENT_MAX_BYTES,
      uniqueKeys: true,
      examples: { 'One record': { document: DOCUMENT } },
    },
    responses: { 200: { description: 'The plan.', body: plan } },
  },

  applyConfiguration: {
    method: 'POST',
    path: `${CONFIGURATION}/apply`,
    client: 'configuration.apply',
    summary: 'Apply a planned document',
    description:
      'Makes all changes or none. Rejected with 412 if anything that the plan has read changed since: a record of the families in ' +
      'the document, its owner, or a plugin. Rejected with 400 if it would delete more records than `max_deletes`, or one with ' +
      '`prevent_destroy`.',
    scope: 'plugin:write',
    work: 'slow',
    idempotent: true,
    basis: 'plan',
    body: {
      schema: applyBody,
      maxBytes: DOCUMENT_MAX_BYTES,
      uniqueKeys: true,
      examples: {
        'One record': { document: DOCUMENT, base: '5f3a9c1e.1.4.12.1.0.7', max_deletes: 0 },
      },
    },
    responses: { 200: { description: 'The changes that were made.', body: applied } },
  },

  adoptRecords: {
    method: 'POST',
    path: `${CONFIGURATION}/adopt`,
    client: 'configuration.adopt',
    summary: 'Assign records to a manager',
    description:
      'Changes nothing else. A record that the manager owns already gets the new key. Rejected with 409 if another manager owns one of the records.',
    scope: 'plugin:write',
    work: 'slow',
    conflict: 'managed_by_another',
    body: {
      schema: adoptBody,
      maxBytes: DOCUMENT_MAX_BYTES,
      uniqueKeys: true,
      examples: {
        'One record': {
          manager: 'checkout-team',
          records: [{ family: 'plugin_configs', id: 42, key: 'geoip' }],
        },
      },
    },
    responses: { 200: { description: 'The records that the manager now owns.', body: ownedRecords } },
  },

  listDrift: {
    method: 'GET',
    path: `${CONFIGURATION}/drift`,
    client: 'configuration.drift',
    summary: 'List owned records edited since the last apply',
    scope: 'plugin:read',
    query: managerQuery,
    responses: { 200: { description: 'The edited records.', body: drift } },
  },

  listOwnedRecords: {
    method: 'GET',
    path: `${CONFIGURATION}/records`,
    client: 'configuration.records',
    summary: 'List the records owned by managers',
    description: 'Sorted by family, then id. Deleted records are included.',
    scope: 'plugin:read',
    query: ownedListQuery,
    responses: { 200: { description: 'One page of the owned records.', body: ownedRecordPage } },
  },
});
