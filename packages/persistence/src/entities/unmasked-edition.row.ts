import { defineEntity, p } from '@mikro-orm/core';
import { ConfigRecordRow } from './config-record.row.ts';

/** The keys that became secret in the configuration of a record, whose editions are not masked yet. */
export const UnmaskedEditionRow = defineEntity({
  name: 'UnmaskedEditionRow',
  tableName: 'unmasked_edition',
  primaryKeys: ['record'],
  properties: {
    record: p
      .manyToOne(ConfigRecordRow)
      .primary()
      .foreignKeyName('unmasked_edition_record_id_fkey')
      .updateRule('no action')
      .deleteRule('no action'),
    keys: p.array(),
    /** The last edition that is masked. */
    upTo: p.bigint('number').defaultRaw('0'),
  },
});
