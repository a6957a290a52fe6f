import type { DeadLetter, DeadLetterStore } from '@plugin-config/domain';
import type { Database } from '../postgres/database.ts';
import { translated } from '../postgres/translate-error.ts';
import { DeadLetterRow } from '../schema/rows/dead-letter.row.ts';
import { trimDeadLetters } from './trim-dead-letters.ts';

const IN_ORDER = { orderBy: { id: 'asc' } } as const;

export function postgresDeadLetterStore({ orm, pool }: Pick<Database, 'orm' | 'pool'>): DeadLetterStore {
  const em = () => orm.em.fork();
  return {
    count: () => translated(() => em().count(DeadLetterRow)),
    list: ({ after, limit }) =>
      translated(async () =>
        (await em().find(DeadLetterRow, { id: { $gt: after } }, { ...IN_ORDER, limit })).map(letterOf),
      ),
    find: (ids) =>
      translated(async () => (await em().find(DeadLetterRow, { id: [...ids] }, IN_ORDER)).map(letterOf)),
    drop: (ids) => translated(() => em().nativeDelete(DeadLetterRow, { id: [...ids] })),
    dropAll: () => translated(() => em().nativeDelete(DeadLetterRow, {})),
    trim: (bounds) => trimDeadLetters(pool, bounds),
  };
}

function letterOf(row: Omit<DeadLetterRow, 'digest' | 'addedAt'>): DeadLetter {
  const { id, receivedAt, reason, channel, streamTime, projectIds, entryId, text, missing, position } = row;
  return { id, receivedAt, reason, channel, streamTime, projectIds, entryId, text, missing, position };
}
