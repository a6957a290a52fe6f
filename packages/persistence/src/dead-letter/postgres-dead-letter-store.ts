import type { DeadLetter, DeadLetterStore, DeadReason } from '@plugin-config/domain';
import { dateAt, dateOrNullAt, numberAt, textAt, textOrNullAt } from '../postgres/cells.ts';
import type { Database } from '../postgres/database.ts';
import { run, type Cells, type Statement } from '../postgres/statement.ts';
import { trimDeadLetters } from './trim-dead-letters.ts';

const COLUMNS = `id, received_at, reason, channel, stream_time, array_to_string(project_ids, ','), entry_id, text,
  missing, position`;

const COUNT: Statement = { name: 'count_dead_letters', text: 'select count(*) from dead_letter' };

const LIST: Statement = {
  name: 'list_dead_letters',
  text: `select ${COLUMNS} from dead_letter where id > $1 order by id limit $2::bigint`,
};

const FIND: Statement = {
  name: 'find_dead_letters',
  text: `select ${COLUMNS} from dead_letter where id = any ($1::bigint[]) order by id`,
};

const DROP: Statement = {
  name: 'drop_dead_letters',
  text: 'with gone as (delete from dead_letter where id = any ($1::bigint[]) returning id) select count(*) from gone',
};

const DROP_ALL: Statement = {
  name: 'drop_all_dead_letters',
  text: 'with gone as (delete from dead_letter returning id) select count(*) from gone',
};

export function postgresDeadLetterStore({ pool }: Pick<Database, 'pool'>): DeadLetterStore {
  const counted = async (
    statement: Statement,
    ...values: readonly (readonly number[])[]
  ): Promise<number> => {
    const [row] = await run(pool, statement, values);
    return row === undefined ? 0 : numberAt(row, 0);
  };
  return {
    count: () => counted(COUNT),
    list: async ({ after, limit }) => (await run(pool, LIST, [after, limit])).map(letterAt),
    find: async (ids) => (await run(pool, FIND, [ids])).map(letterAt),
    drop: (ids) => counted(DROP, ids),
    dropAll: () => counted(DROP_ALL),
    trim: (bounds) => trimDeadLetters(pool, bounds),
  };
}

function letterAt(row: Cells): DeadLetter {
  const projectIds = textAt(row, 5);
  return {
    id: numberAt(row, 0),
    receivedAt: dateAt(row, 1),
    reason: textAt(row, 2) as DeadReason,
    channel: textAt(row, 3),
    streamTime: dateOrNullAt(row, 4),
    projectIds: projectIds === '' ? [] : projectIds.split(',').map(Number),
    entryId: textOrNullAt(row, 6),
    text: textAt(row, 7),
    missing: numberAt(row, 8),
    position: numberAt(row, 9),
  };
}
