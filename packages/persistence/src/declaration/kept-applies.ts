import { tooManyKept, type Actor, type Applied, type IdempotencyKey, type Once } from '@plugin-config/domain';
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

/** Counted with the other answers of this family, which is locked. */
const FAMILY = 'plugin_configs';

const FULL = columns((row) => ({ isFull: row.flag('h.full_up'), oldestMs: row.number('h.oldest_ms') }));

const KEPT_COUNTS: Statement = {
  name: 'kept_counts',
  text: `select ${FULL.sql} from kept_answers($1, '${FAMILY}', $2) h`,
};

const KEEP_APPLY: Statement = {
  name: 'keep_apply',
  text: `select keep_answer($1, $2, '${FAMILY}', $3, $4, $5, $6::json)`,
};

export async function keptApply(
  client: pg.ClientBase,
  { name }: IdempotencyKey,
): Promise<Once<Applied> | null> {
  const [row] = await run(client, KEPT_APPLY, [name]);
  return row === undefined ? null : { ...KEPT.read(row), isFirst: false };
}

export async function keepApply(
  client: pg.ClientBase,
  projectId: number,
  { key: { name, digest, origin }, actor, answer }: Keeping,
): Promise<void> {
  const [row] = await run(client, KEPT_COUNTS, [projectId, actor.keyId]);
  const counts = row === undefined ? null : FULL.read(row);
  if (counts?.isFull === true) throw tooManyKept(counts.oldestMs);
  await run(client, KEEP_APPLY, [name, projectId, actor.keyId, digest, origin, JSON.stringify(answer)]);
}

interface Keeping {
  readonly key: IdempotencyKey;
  readonly actor: Actor;
  readonly answer: Applied;
}
