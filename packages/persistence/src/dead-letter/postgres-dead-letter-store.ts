import type { EntityRepository } from '@mikro-orm/postgresql';
import {
  SHOWN_TEXT_MAX,
  type DeadLetter,
  type DeadLetterStore,
  type DeadReason,
  type ShownDeadLetter,
} from '@plugin-config/domain';
import type { Database } from '../postgres/database.ts';
import { columns, numberAt } from '../postgres/columns.ts';
import { readPage } from '../postgres/read-page.ts';
import { run, type Statement } from '../postgres/statement.ts';
import type { DeadLetterRow } from '../entities/dead-letter.row.ts';
import { trimDeadLetters } from './trim-dead-letters.ts';

/** Every worker polls this, so it bypasses the ORM. */
const COUNT: Statement = { name: 'count_dead_letters', text: 'select count(*) from dead_letter' };

const SHOWN = columns((row): ShownDeadLetter => ({
  id: row.number('d.id'),
  recordId: row.numberOrNull('d.record_id'),
  reason: row.text('d.reason') as DeadReason,
  receivedAt: row.date('d.received_at'),
  channel: row.text('d.channel'),
  text: row.text(`left(d.text, ${SHOWN_TEXT_MAX})`),
}));

const LISTED = columns((row) => ({
  item: row.allOrNull(SHOWN),
  count: row.number('(select count(*) from dead_letter c where c.owner = $1)'),
}));

const PAGE: Statement = {
  name: 'page_of_dead_letters',
  text: `select ${LISTED.sql}
  from (select) one
  left join (select * from dead_letter where owner = $1 order by id desc limit $2 offset $3) d on true
  order by d.id desc`,
};

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
    page: (projectId, { limit, offset }) =>
      readPage(pool, { statement: PAGE, listed: LISTED }, [`project ${projectId}`, limit, offset]),
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
