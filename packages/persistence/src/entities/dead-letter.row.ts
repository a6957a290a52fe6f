import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { DeadReason } from '@plugin-config/domain';

export const DeadLetterRow = defineEntity({
  name: 'DeadLetterRow',
  tableName: 'dead_letter',
  properties: {
    id: p.bigint('number').primary().generated('by default as identity'),
    /** The digest of the identity, equal for each delivery of the same message. */
    digest: p.blob().lazy(),
    addedAt: p.datetime(3).defaultRaw('now()').lazy(),
    receivedAt: p.datetime(3),
    reason: p.text().$type<DeadReason>(),
    channel: p.text(),
    streamTime: p.datetime(3).strictNullable(),
    /** The projects that the sender may write to; empty means all. */
    projectIds: p.array<number>((id) => Number(id)).columnType('bigint[]'),
    position: p.bigint('number'),
    entryId: p.uuid().strictNullable(),
    text: p.text(),
    /** How many characters of the text were cut. */
    missing: p.integer(),
  },
  uniques: [{ name: 'dead_letter_digest_key', properties: ['digest'] }],
});

export type DeadLetterRow = InferEntity<typeof DeadLetterRow>;
