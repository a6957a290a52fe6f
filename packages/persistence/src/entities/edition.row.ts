import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { ConfigRecordRow } from './config-record.row.ts';

/** An earlier edition of a record. The record itself is the current one. */
export const EditionRow = defineEntity({
  name: 'EditionRow',
  tableName: 'edition',
  primaryKeys: ['record', 'number'],
  properties: {
    /** No foreign key, as for the history of the record. */
    record: p.manyToOne(ConfigRecordRow).primary().createForeignKeyConstraint(false),
    number: p.bigint('number').primary(),
    createdAt: p.datetime(3),
    actorKeyId: p.bigint('number').strictNullable(),
    actorLabel: p.text(),
    requestId: p.text().strictNullable(),
    name: p.text().strictNullable(),
    description: p.text().strictNullable(),
    /** As it was shown, encrypted; null if it is that of the next edition. */
    config: p.blob().strictNullable(),
  },
});

export type EditionRow = InferEntity<typeof EditionRow>;
