import { createHash } from 'node:crypto';
import type pg from 'pg';
import { prepared, run } from '../postgres/statement.ts';

const FORGET_CHUNK = 100;
/** How long a token is accepted after its end, in addition to clock skew. */
const KEPT_MS = 60_000;

const FORGET = prepared('forget_exchanged_tokens')`delete from exchanged_token t where t.digest in (
    select e.digest from exchanged_token e where e.expires_at < $1
    order by e.expires_at limit ${FORGET_CHUNK} for update skip locked
  )`;

const EXCHANGE = prepared('exchange_token')`
  insert into exchanged_token (digest, expires_at) values ($1, $2) on conflict (digest) do nothing returning 1`;

interface UsedOnce {
  readonly issuer: string;
  /** Unique for the issuer. */
  readonly id: string;
  readonly expiresAt: Date;
}

/** Records that something of an issuer was used. Returns false if it was used before. */
export async function useOnce(
  client: pg.ClientBase,
  { issuer, id, expiresAt }: UsedOnce,
  at: Date,
): Promise<boolean> {
  await run(client, FORGET, [at.toISOString()]);
  const until = new Date(expiresAt.getTime() + KEPT_MS).toISOString();
  return (await run(client, EXCHANGE, [digestOf(issuer, id), until])).length > 0;
}

function digestOf(issuer: string, id: string): string {
  return createHash('sha256')
    .update(JSON.stringify([issuer, id]))
    .digest('base64url');
}
