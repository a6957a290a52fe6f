import { tooManyKept, type Actor, type FamilyRef, type IdempotencyKey } from '@plugin-config/domain';
import type pg from 'pg';
import { columns } from '../postgres/columns.ts';
import { run, type Statement } from '../postgres/statement.ts';

const FULL = columns((row) => ({ isFull: row.flag('h.full_up'), oldestMs: row.number('h.oldest_ms') }));

const KEPT_COUNTS: Statement = {
  name: 'kept_counts',
  text: `select ${FULL.sql} from kept_responses($1, $2, $3) h`,
};

const KEEP_RESPONSE: Statement = {
  name: 'keep_response',
  text: 'select keep_response($1, $2, $3, $4, $5, $6, $7::json)',
};

interface Keeping extends FamilyRef {
  readonly key: IdempotencyKey;
  readonly actor: Actor;
  readonly response: object;
}

/**
 * Keeps a response for repeated requests. The family must be locked.
 * @throws DomainError `throttled` if too many responses are kept for the API key
 */
export async function keepResponse(
  client: pg.ClientBase,
  { projectId, family, key: { name, digest, origin }, actor: { keyId }, response }: Keeping,
): Promise<void> {
  const [row] = await run(client, KEPT_COUNTS, [projectId, family, keyId]);
  const counts = row === undefined ? null : FULL.read(row);
  if (counts?.isFull === true) throw tooManyKept(counts.oldestMs);
  await run(client, KEEP_RESPONSE, [
    name,
    projectId,
    family,
    keyId,
    digest,
    origin,
    JSON.stringify(response),
  ]);
}
