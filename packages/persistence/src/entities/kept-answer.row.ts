import { defineEntity, p } from '@mikro-orm/core';
import { ConfigFamilyRow } from './config-family.row.ts';

/** The response to a request with an Idempotency-Key, kept for its repetitions. */
export const KeptAnswerRow = defineEntity({
  name: 'KeptAnswerRow',
  tableName: 'kept_answer',
  properties: {
    name: p.text().primary(),
    family: p
      .manyToOne(ConfigFamilyRow)
      .joinColumns('project_id', 'family')
      .foreignKeyName('kept_answer_family_fkey')
      .updateRule('no action')
      .deleteRule('no action'),
    keyId: p.bigint('number'),
    digest: p.text(),
    origin: p.text(),
    answer: p.json<object>().columnType('json'),
    keptAt: p.datetime(6),
    /** Counts the responses of an API key in the family. The kept responses have consecutive numbers. */
    number: p.bigint('number'),
    /** The total bytes of all responses up to this one. */
    totalBytes: p.bigint('number'),
  },
  indexes: [
    { name: 'kept_answer_number_index', properties: ['family', 'keyId', 'number'] },
    { name: 'kept_answer_kept_index', properties: ['keptAt', 'name'] },
  ],
  checks: [{ name: 'kept_answer_answer_check', expression: `json_typeof(answer) = 'object'` }],
});
