import { defineEntity, p } from '@mikro-orm/core';
import type { DeadReason, MessageOwner } from '@plugin-config/domain';

export const DeadLetterRow = defineEntity({
  name: 'DeadLetterRow',
  tableName: 'dead_letter',
  properties: {
    id: p.bigint('number').primary().generated('by default as identity'),
    /** The digest of the identity, the same for each delivery of a message. */
    digest: p.blob(),
    owner: p.text().$type<MessageOwner>(),
    recordId: p.bigint('number').strictNullable(),
    /** Counts the dead letters of the owner. Concurrent batches may assign the same numbers. */
    number: p.bigint('number'),
    addedAt: p.datetime(3).defaultRaw('now()'),
    receivedAt: p.datetime(3),
    reason: p.text().$type<DeadReason>(),
    channel: p.text(),
    streamTime: p.datetime(3).strictNullable(),
    /** The projects that the sender may write to; empty means all. */
    projectIds: p.array<number>().columnType('bigint[]'),
    /** The plugins whose records the sender may write to; empty means all. */
    pluginIds: p.array<number>().columnType('integer[]'),
    position: p.bigint('number'),
    entryId: p.uuid().strictNullable(),
    text: p.text(),
    /** The number of characters that were cut from the text. */
    missing: p.integer(),
  },
  indexes: [{ name: 'dead_letter_owner_index', properties: ['owner', 'number'] }],
  uniques: [{ name: 'dead_letter_digest_key', properties: ['digest'] }],
});
