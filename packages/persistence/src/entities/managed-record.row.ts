import { defineEntity, p } from '@mikro-orm/core';
import { ConfigFamilyRow } from './config-family.row.ts';
import { ConfigRecordRow } from './config-record.row.ts';

/** A record that a manager owns, live or deleted. */
export const ManagedRecordRow = defineEntity({
  name: 'ManagedRecordRow',
  tableName: 'managed_record',
  properties: {
    record: p
      .oneToOne(ConfigRecordRow)
      .primary()
      .foreignKeyName('managed_record_record_id_fkey')
      .updateRule('no action')
      .deleteRule('no action'),
    family: p
      .manyToOne(ConfigFamilyRow)
      .joinColumns('project_id', 'family')
      .createForeignKeyConstraint(false),
    manager: p.text(),
    key: p.text(),
    preventDestroy: p.boolean(),
    /** The version of the record and the last entry of its history when it was last applied or adopted. */
    appliedVersion: p.bigint('number'),
    appliedEntry: p.bigint('number'),
  },
  uniques: [{ name: 'managed_record_key_key', properties: ['family', 'manager', 'key'] }],
});
