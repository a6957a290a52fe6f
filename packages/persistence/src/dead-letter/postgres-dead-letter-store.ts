import {
  SHOWN_TEXT_MAX,
  type DeadLetter,
  type DeadLetterStore,
  type ShownDeadLetter,
} from '@plugin-config/domain';
import { DeadLetterRow } from '../entities/dead-letter.row.ts';
import { columns, numberAt, type Columns } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { pageOf } from '../postgres/read-page.ts';
import { prepared, run, type Statement } from '../postgres/statement.ts';
import { fieldsOf, rowOf } from '../postgres/table.ts';
import { dropDeadLetters, trimDeadLetters } from './trim-dead-letters.ts';

const COUNT = prepared('count_dead_letters')`select count(*) from dead_letter`;

const LETTER: Columns<DeadLetter> = rowOf(DeadLetterRow, 'd', ['digest', 'number', 'addedAt']);

const SHOWN_ROW = fieldsOf(DeadLetterRow, 'd', ['id', 'recordId', 'receivedAt', 'reason', 'channel']);

const SHOWN = columns((row): ShownDeadLetter => ({
  ...row.all(SHOWN_ROW),
  text: row.text(`left(d.text, ${SHOWN_TEXT_MAX})`),
}));

const PAGE = pageOf({
  name: 'page_of_dead_letters',
  item: SHOWN,
  from: 'dead_letter d where d.owner = $3',
  order: 'id desc',
});

const LIST = prepared('list_dead_letters')`
  select ${LETTER.sql} from dead_letter d where d.id > $1 order by d.id limit $2`;

const FIND = prepared('find_dead_letters')`
  select ${LETTER.sql} from dead_letter d where d.id = any ($1::bigint[]) order by d.id`;

const DROP_ALL = prepared('drop_all_dead_letters')`
  with gone as (delete from dead_letter returning 1) select count(*) from gone`;

export function postgresDeadLetterStore({ pool }: Pick<Database, 'pool'>): DeadLetterStore {
  const countBy = async (statement: Statement): Promise<number> => {
    const [row = []] = await run(pool, statement, []);
    return numberAt(row, 0);
  };
  return {
    count: () => countBy(COUNT),
    page: (projectId, page) => PAGE.read(pool, page, [`project ${projectId}`]),
    list: async ({ after, limit }) => (await run(pool, LIST, [after, limit])).map((row) => LETTER.read(row)),
    find: async (ids) => (await run(pool, FIND, [ids])).map((row) => LETTER.read(row)),
    drop: (ids) => dropDeadLetters(pool, ids),
    dropAll: () => countBy(DROP_ALL),
    trim: (bounds) => trimDeadLetters(pool, bounds),
  };
}
