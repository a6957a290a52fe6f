import { defineEntity, p } from '@mikro-orm/core';
import { ConfigRecordRow } from './config-record.row.ts';

/** The keys that became secret in the configuration of a record, whose history is not masked yet. */
export const UnmaskedHistoryRow = defineEntity({
  name: 'UnmaskedHistoryRow',
  tableName: 'unmasked_history',
  primaryKeys: ['record'],
  properties: {
    record: p
      .manyToOne(ConfigRecordRow)
      .primary()
      .foreignKeyName('unmasked_history_record_id_fkey')
      .updateRule('no action')
      .deleteRule('no action'),
    keys: p.array(),
    /** The last entry that is masked. */
    upTo: p.bigint('number').defaultRaw('0'),
  },
});
