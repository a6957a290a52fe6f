import { defineEntity, p } from '@mikro-orm/core';
import { ConfigRecordRow } from './config-record.row.ts';

/** The cursor of masking a field in the history of a record. */
export const MaskedHistoryRow = defineEntity({
  name: 'MaskedHistoryRow',
  tableName: 'masked_history',
  primaryKeys: ['record', 'field'],
  properties: {
    record: p
      .manyToOne(ConfigRecordRow)
      .primary()
      .foreignKeyName('masked_history_record_id_fkey')
      .updateRule('no action')
      .deleteRule('no action'),
    /** As in the changes of an entry, as JSON text. */
    field: p.text().primary(),
    /** The last entry that is masked. */
    upTo: p.bigint('number'),
  },
});
