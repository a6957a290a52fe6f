import {
  configRecord,
  configRecordPage,
  configurationBody,
  createBody,
  projectParams,
  rearrangeAnswer,
  rearrangeBody,
  recordListQuery,
  recordParams,
  updateBody,
} from '@plugin-config/contract';
import type { Family } from '@plugin-config/domain';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { FAMILY_NAMES } from './family-names.ts';
import { etag, etagOfOne, location } from './headers.ts';
import { answer, emptyAnswer, operation } from './operation.ts';

/** Both families are the same but for their name. */
export function recordPaths(family: Family): ZodOpenApiPathsObject {
  const all = `/api/projects/{project_id}/${family}`;
  return {
    [all]: { get: list(family), post: create(family) },
    [`${all}/rearrange`]: { patch: rearrange(family) },
    [`${all}/{id}`]: { get: retrieve(family), patch: update(family), delete: remove(family) },
    [`${all}/{id}/config`]: { put: configure(family) },
  };
}

const tagged = { ETag: etag };
const unchanged = emptyAnswer('It is still what you hold.', tagged);

function list(family: Family): ZodOpenApiOperationObject {
  const { tag, many } = FAMILY_NAMES[family];
  return operation({
    operationId: `list_${many}`,
    tag,
    summary: 'List the records',
    description: 'Sorted by `order`, then `id`. Deleted records are left out unless they are asked for.',
    scope: 'plugin:read',
    path: projectParams,
    query: recordListQuery,
    condition: 'If-None-Match',
    answers: { 200: answer('One page of the records.', configRecordPage, tagged), 304: unchanged },
  });
}

function create(family: Family): ZodOpenApiOperationObject {
  const { tag, one } = FAMILY_NAMES[family];
  return operation({
    operationId: `create_${one}`,
    tag,
    summary: 'Create a record',
    description: 'Attaches a plugin to the project. Without an `order` it goes after the last one.',
    scope: 'plugin:write',
    path: projectParams,
    body: {
      schema: createBody,
      required: true,
      examples: {
        'Enabled, after the last one': { plugin: 7, enabled: true, name: 'GeoIP for the shop' },
        'The least that is needed': { plugin: 7 },
      },
    },
    answers: { 201: answer('The new record.', configRecord, { ...tagged, Location: location }) },
  });
}

function retrieve(family: Family): ZodOpenApiOperationObject {
  const { tag, one } = FAMILY_NAMES[family];
  return operation({
    operationId: `retrieve_${one}`,
    tag,
    summary: 'Retrieve a record',
    description: 'Finds a deleted record, too.',
    scope: 'plugin:read',
    path: recordParams,
    condition: 'If-None-Match',
    answers: { 200: answer('The record.', configRecord, tagged), 304: unchanged },
  });
}

function update(family: Family): ZodOpenApiOperationObject {
  const { tag, one } = FAMILY_NAMES[family];
  return operation({
    operationId: `update_${one}`,
    tag,
    summary: 'Update a record',
    description:
      'Changes the given fields alone. `deleted: true` disables as well; `deleted: false` restores the record, ' +
      'disabled unless `enabled` says otherwise. A deleted record cannot be enabled without restoring it.',
    scope: 'plugin:write',
    path: recordParams,
    condition: 'If-Match',
    body: {
      schema: updateBody,
      required: false,
      examples: { Disable: { enabled: false }, Restore: { deleted: false, enabled: true } },
    },
    answers: { 200: answer('The record as it is now.', configRecord, tagged) },
  });
}

function remove(family: Family): ZodOpenApiOperationObject {
  const { tag, one } = FAMILY_NAMES[family];
  return operation({
    operationId: `delete_${one}`,
    tag,
    summary: 'Delete a record',
    description: 'It is marked as deleted and disabled, and can be restored by an update.',
    scope: 'plugin:write',
    path: recordParams,
    condition: 'If-Match',
    answers: { 204: emptyAnswer('It is deleted, or was already.') },
  });
}

function configure(family: Family): ZodOpenApiOperationObject {
  const { tag, one } = FAMILY_NAMES[family];
  return operation({
    operationId: `set_${one}_configuration`,
    tag,
    summary: 'Replace the configuration of a record',
    description:
      'At most 256 KiB of compact JSON. Where the plugin is registered with a schema, the values are checked ' +
      'against it. A secret that is missing or sent back masked keeps its value; an empty text clears it.',
    scope: 'plugin:write',
    path: recordParams,
    condition: 'If-Match',
    body: {
      schema: configurationBody,
      required: false,
      examples: { 'A value is changed, a secret kept': { host: 'example.com', token: '********' } },
    },
    answers: { 200: answer('The record as it is now.', configRecord, tagged) },
  });
}

function rearrange(family: Family): ZodOpenApiOperationObject {
  const { tag, many } = FAMILY_NAMES[family];
  return operation({
    operationId: `rearrange_${many}`,
    tag,
    summary: 'Move a record to another position',
    description:
      'Moves the record that attaches `plugin` to `order`; where several do, the other given fields tell which. ' +
      'The others keep their relative order and give way. `If-Match` takes the tag of a list.\n\n' +
      'The older form, `orders` alone, sets the positions of all the named records in one step.',
    scope: 'plugin:write',
    path: projectParams,
    condition: 'If-Match',
    body: {
      schema: rearrangeBody,
      required: true,
      examples: {
        'To the first place': { plugin: 7, order: 1 },
        'The older form': { orders: { 42: 1, 43: 2 } },
      },
    },
    answers: {
      200: answer(
        'The moved record; in the older form all live records in their new order.',
        rearrangeAnswer,
        { ETag: etagOfOne },
      ),
    },
  });
}
