import { p } from '@mikro-orm/core';
import type { Subject } from '@plugin-config/domain';

/** The columns of who made a change. No foreign key: a history outlives the API key. */
export const authorColumns = () => ({
  actorKeyId: p.bigint('number').strictNullable(),
  actorLabel: p.text(),
  actorSubject: p.json<Subject>().columnType('json').strictNullable(),
  requestId: p.text().strictNullable(),
});
