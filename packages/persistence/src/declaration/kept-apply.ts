import type { Applied, IdempotencyKey, Once } from '@plugin-config/domain';
import type pg from 'pg';
import { columns } from '../postgres/columns.ts';
import { run, type Statement } from '../postgres/statement.ts';

const KEPT = columns((row) => ({
  value: row.json('k.answer') as Applied,
  digest: row.text('k.digest'),
  origin: row.text('k.origin'),
}));

const KEPT_APPLY: Statement = {
  name: 'kept_apply',
  text: `select ${KEPT.sql} from kept_answer k where k.name = $1`,
};

export async function keptApply(
  client: pg.ClientBase,
  { name }: IdempotencyKey,
): Promise<Once<Applied> | null> {
  const [row] = await run(client, KEPT_APPLY, [name]);
  return row === undefined ? null : { ...KEPT.read(row), isFirst: false };
}
