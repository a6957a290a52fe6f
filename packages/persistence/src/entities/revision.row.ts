import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { ConfigRecordRow } from './config-record.row.ts';

/** An earlier revision of a record. The current revision is the record itself. */
export const RevisionRow = defineEntity({
  name: 'RevisionRow',
  tableName: 'config_revision',
  primaryKeys: ['record', 'number'],
  properties: {
    /** No foreign key, for the same reasons as in the history of the record. */
    record: p.manyToOne(ConfigRecordRow).primary().createForeignKeyConstraint(false),
    number: p.bigint('number').primary(),
    createdAt: p.datetime(3),
    actorKeyId: p.bigint('number').strictNullable(),
    actorLabel: p.text(),
    requestId: p.text().strictNullable(),
    name: p.text().strictNullable(),
    description: p.text().strictNullable(),
    /** The masked configuration, encrypted; null if the next revision has the same. */
    config: p.blob().strictNullable(),
  },
});

export type RevisionRow = InferEntity<typeof RevisionRow>;
