import { defineEntity, p } from '@mikro-orm/core';
import { ConfigFamilyRow } from './config-family.row.ts';

/** The answer to a request with an Idempotency-Key, kept for those that repeat it. */
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
    /** Counts the answers of one API key in the family; those that are kept have numbers without gaps. */
    number: p.bigint('number'),
    /** The bytes of all answers up to this one. */
    totalBytes: p.bigint('number'),
  },
  indexes: [
    { name: 'kept_answer_number_index', properties: ['family', 'keyId', 'number'] },
    { name: 'kept_answer_kept_index', properties: ['keptAt', 'name'] },
  ],
  checks: [{ name: 'kept_answer_answer_check', expression: `json_typeof(answer) = 'object'` }],
});
