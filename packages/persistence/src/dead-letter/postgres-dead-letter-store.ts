import type { EntityRepository } from '@mikro-orm/postgresql';
import type { DeadLetter, DeadLetterStore } from '@plugin-config/domain';
import type { Database } from '../postgres/database.ts';
import { numberAt } from '../postgres/columns.ts';
import { run, type Statement } from '../postgres/statement.ts';
import type { DeadLetterRow } from '../entities/dead-letter.row.ts';
import { trimDeadLetters } from './trim-dead-letters.ts';

/** Every worker polls this, so it bypasses the ORM. */
const COUNT: Statement = { name: 'count_dead_letters', text: 'select count(*) from dead_letter' };

type ReadRow = Omit<DeadLetterRow, 'digest' | 'number' | 'addedAt'>;
type Letters = EntityRepository<DeadLetterRow>;

const IN_ORDER = { orderBy: { id: 'asc' } } as const;

export function postgresDeadLetterStore({
  entities,
  pool,
}: Pick<Database, 'entities' | 'pool'>): DeadLetterStore {
  const letters = <T>(work: (rows: Letters) => Promise<T>): Promise<T> =>
    entities('dead_letters', ({ em, DeadLetterRow }) => work(em.getRepository(DeadLetterRow)));
  return {
    count: async () => {
      const [row = []] = await run(pool, COUNT, []);
      return numberAt(row, 0);
    },
    list: ({ after, limit }) =>
      letters(async (rows) =>
        (await rows.find({ id: { $gt: after } }, { ...IN_ORDER, limit })).map(letterOf),
      ),
    find: (ids) => letters(async (rows) => (await rows.find({ id: [...ids] }, IN_ORDER)).map(letterOf)),
    drop: (ids) => letters((rows) => rows.nativeDelete({ id: [...ids] })),
    dropAll: () => letters((rows) => rows.nativeDelete({})),
    trim: (bounds) => trimDeadLetters(pool, bounds),
  };
}

function letterOf({ id, owner, recordId, receivedAt, reason, channel, ...row }: ReadRow): DeadLetter {
  const { streamTime, projectIds, entryId, text, missing, position } = row;
  return {
    id,
    owner,
    recordId,
    receivedAt,
    reason,
    channel,
    streamTime,
    projectIds,
    entryId,
    text,
    missing,
    position,
  };
}
