import { defineEntity, p } from '@mikro-orm/core';
import type { Family } from '@plugin-config/domain';

/** The response to a request that takes effect once, kept for repeated requests. */
export const KeptResponseRow = defineEntity({
  name: 'KeptResponseRow',
  tableName: 'kept_response',
  properties: {
    name: p.text().primary(),
    projectId: p.bigint('number'),
    /** `project` for a response about the whole project. */
    family: p.text().$type<Family | 'project'>(),
    keyId: p.bigint('number'),
    digest: p.text(),
    response: p.json<object>().columnType('json'),
    keptAt: p.datetime(6),
    /** Counts the responses of an API key in the family. The kept responses have consecutive numbers. */
    number: p.bigint('number'),
    /** The total bytes of all responses up to this one. */
    totalBytes: p.bigint('number'),
  },
  indexes: [
    { name: 'kept_response_number_index', properties: ['projectId', 'family', 'keyId', 'number'] },
    { name: 'kept_response_kept_index', properties: ['keptAt', 'name'] },
  ],
  checks: [{ name: 'kept_response_response_check', expression: `json_typeof(response) = 'object'` }],
});
