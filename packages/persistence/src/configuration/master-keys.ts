import type pg from 'pg';
import { NO_MASTER_KEY } from '../crypto/secrets-keys.ts';
import { columns } from '../postgres/columns.ts';
import type { EncryptedDatabase } from './encrypted-database.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { prepared, run } from '../postgres/statement.ts';
import { canUnwrap, WRAPPED_KEY, rewrap } from './data-keys.ts';

/** The number of rows that are rewrapped in one transaction. */
const CHUNK = 1000;

const ONE_PER_MASTER_KEY = prepared('one_data_key_of_each_master_key')`
  select distinct on (k.master_key_id) ${WRAPPED_KEY.sql} from project_key k order by k.master_key_id, k.project_id`;

const NEXT_TO_WRAP = prepared('next_data_keys_to_wrap')`select ${WRAPPED_KEY.sql} from project_key k
  where k.master_key_id = any ($1::text[]) order by k.project_id limit ${CHUNK} for update`;

const STORE_WRAPPED = prepared('store_wrapped_data_keys')`
  update project_key k set wrapped = w.wrapped, master_key_id = $3
  from unnest($1::bigint[], $2::bytea[]) w (project_id, wrapped) where k.project_id = w.project_id`;

export interface MasterKeyUse {
  readonly keyId: string;
  readonly dataKeys: number;
}

const USE = columns((row): MasterKeyUse => ({
  keyId: row.text('k.master_key_id'),
  dataKeys: row.number('count(*)'),
}));

const USES = prepared('master_key_uses')`
  select ${USE.sql} from project_key k group by k.master_key_id order by k.master_key_id`;

type Keyed = Pick<EncryptedDatabase, 'pool' | 'masterKeys'>;

/** Returns why the listed master keys do not fit the database and what to do about it; null if they fit. */
export async function masterKeysProblem(
  { pool, masterKeys }: Keyed,
  { allowMissing = false }: { readonly allowMissing?: boolean } = {},
): Promise<string | null> {
  const needed = (await run(pool, ONE_PER_MASTER_KEY, [])).map((row) => WRAPPED_KEY.read(row));
  if (masterKeys.size === 0) return NO_MASTER_KEY;
  const missing = needed.filter(({ masterKeyId }) => !masterKeys.has(masterKeyId));
  const other = needed.filter((each) => masterKeys.has(each.masterKeyId) && !canUnwrap(masterKeys, each));
  const named = (keys: typeof needed): string => keys.map(({ masterKeyId }) => `"${masterKeyId}"`).join(', ');
  if (missing.length > 0 && !allowMissing) {
    return `SECRETS_KEYS lacks ${named(missing)}, which data keys are wrapped with: add every missing key.`;
  }
  if (other.length > 0) {
    return `SECRETS_KEYS lists a different key as ${named(other)} than the one that wrapped the data keys: correct it.`;
  }
  return null;
}

export async function masterKeyUses({
  pool,
}: Pick<EncryptedDatabase, 'pool'>): Promise<readonly MasterKeyUse[]> {
  return (await run(pool, USES, [])).map((row) => USE.read(row));
}

/**
 * Wraps every data key with the first master key, except data keys whose master key is not listed. If it is interrupted,
 * another call continues.
 */
export async function rotateMasterKey({ pool, masterKeys }: Keyed): Promise<void> {
  const others = [...masterKeys.keys()].slice(1);
  const rewrapChunk = async (client: pg.ClientBase): Promise<boolean> => {
    const rows = await run(client, NEXT_TO_WRAP, [others]);
    const wrapped = rows.map((row) => rewrap(masterKeys, WRAPPED_KEY.read(row)));
    const [first] = wrapped;
    if (first === undefined) return false;
    await run(client, STORE_WRAPPED, [
      wrapped.map(({ projectId }) => projectId),
      wrapped.map((each) => each.wrapped),
      first.masterKeyId,
    ]);
    return true;
  };
  let hasMore = true;
  while (hasMore) hasMore = await inTransaction(pool, 'begin', rewrapChunk);
}
