import { randomBytes } from 'node:crypto';
import { DomainError, projectNotFound, SERVICE } from '@plugin-config/domain';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { decrypt, encrypt } from '../crypto/aes-gcm.ts';
import { NO_MASTER_KEY, type SecretsKeys } from '../crypto/secrets-keys.ts';
import { ProjectKeyRow } from '../entities/project.row.ts';
import type { Primary } from '../postgres/primary.ts';
import { prepared, run } from '../postgres/statement.ts';
import { rowOf, writtenOf, type RowOf } from '../postgres/table.ts';
import { perTimeline } from '../postgres/timeline.ts';
import { bytesOf, hexOf, type DataKey } from './ciphertext.ts';

const KEY_BYTES = 32;
const CACHE_MAX = 10_000;
const RETRY_AFTER_SECONDS = 60;

export type WrappedKey = Omit<RowOf<typeof ProjectKeyRow>, 'id'>;

/** The columns of a stored data key `k`. */
export const WRAPPED_KEY = rowOf(ProjectKeyRow, 'k', ['id']);

const STORED = rowOf(ProjectKeyRow, 'k');
const WRITTEN = writtenOf(ProjectKeyRow, ['id']);

export const DATA_KEYS = prepared('data_keys')`
  select ${STORED.sql} from project_key k where k.project_id = any ($1::bigint[])`;

const ADD_KEY = prepared('add_data_key')`
  insert into project_key (${WRITTEN.names}) values (${WRITTEN.parameters(1)}) on conflict (project_id) do nothing`;

/** Generates and stores the data key of a project that has none. */
export async function addDataKey(
  client: pg.ClientBase,
  masterKeys: SecretsKeys,
  projectId: number,
): Promise<void> {
  await run(client, ADD_KEY, WRITTEN.values(newWrappedKey(masterKeys, projectId)));
}

/**
 * Reads the data keys of projects, by project. Deleted projects have none.
 * @throws DomainError `key_missing` if a master key is missing
 */
export async function readDataKeys(
  connection: pg.Pool | pg.ClientBase,
  masterKeys: SecretsKeys,
  projectIds: readonly number[],
): Promise<ReadonlyMap<number, DataKey>> {
  const rows = (await run(connection, DATA_KEYS, [projectIds])).map((row) => STORED.read(row));
  return new Map(
    rows.map(({ id, ...stored }) => [stored.projectId, { id, key: unwrap(masterKeys, stored) }]),
  );
}

/** Returns the data key for what belongs to no project, which is created on first use. It is not cached: a dry run rolls it back. */
export async function serviceKey(client: pg.ClientBase, masterKeys: SecretsKeys): Promise<DataKey> {
  await addDataKey(client, masterKeys, SERVICE);
  return (await readDataKeys(client, masterKeys, [SERVICE])).get(SERVICE) as DataKey;
}

export interface DataKeys {
  /**
   * Loads the data keys of these projects that are not in memory. Returns a function that looks them up, and throws
   * `project_not_found` if the project is deleted.
   * @throws DomainError `key_missing` if a master key is missing
   */
  load(
    connection: pg.Pool | pg.ClientBase,
    projectIds: Iterable<number>,
  ): Promise<(projectId: number) => DataKey>;
}

export function newDataKeys({
  masterKeys,
  primary,
}: {
  readonly masterKeys: SecretsKeys;
  readonly primary: Pick<Primary, 'timeline'>;
}): DataKeys {
  // If a failover loses the creation of a project, another project may get its id.
  const cacheOf = perTimeline(() => new LRUCache<number, DataKey>({ max: CACHE_MAX }));
  return {
    async load(connection, projectIds) {
      const cache = cacheOf(primary.timeline);
      const found = new Map<number, DataKey>();
      const missing: number[] = [];
      for (const id of new Set(projectIds)) {
        const cached = cache.get(id);
        if (cached === undefined) missing.push(id);
        else found.set(id, cached);
      }
      if (missing.length > 0) {
        for (const [projectId, key] of await readDataKeys(connection, masterKeys, missing)) {
          cache.set(projectId, key);
          found.set(projectId, key);
        }
      }
      return (projectId) => found.get(projectId) ?? deleted();
    },
  };
}

/** Creates the data key of a project, wrapped by the first master key. */
export function newWrappedKey(masterKeys: SecretsKeys, projectId: number): WrappedKey {
  return wrap(masterKeys, projectId, randomBytes(KEY_BYTES));
}

/** Wraps the data key again, with the first master key. */
export function rewrap(masterKeys: SecretsKeys, stored: WrappedKey): WrappedKey {
  return wrap(masterKeys, stored.projectId, unwrap(masterKeys, stored));
}

function wrap(masterKeys: SecretsKeys, projectId: number, key: Buffer): WrappedKey {
  const [first] = masterKeys;
  if (first === undefined) throw new Error(NO_MASTER_KEY);
  const [masterKeyId, masterKey] = first;
  return { projectId, masterKeyId, wrapped: hexOf(encrypt(masterKey, contextOf(projectId), key)) };
}

/** Returns whether the master key listed under this id is the one that wrapped the data key. */
export function canUnwrap(masterKeys: SecretsKeys, stored: WrappedKey): boolean {
  try {
    return unwrap(masterKeys, stored).length === KEY_BYTES;
  } catch {
    return false;
  }
}

function unwrap(masterKeys: SecretsKeys, { projectId, masterKeyId, wrapped }: WrappedKey): Buffer {
  const masterKey = masterKeys.get(masterKeyId);
  if (masterKey === undefined) {
    throw keyMissing(`Secrets are encrypted with the key "${masterKeyId}", which is missing.`);
  }
  try {
    return decrypt(masterKey, contextOf(projectId), bytesOf(wrapped));
  } catch (cause) {
    throw keyMissing(
      `The key "${masterKeyId}" in SECRETS_KEYS is not the key that secrets were encrypted with.`,
      cause,
    );
  }
}

function contextOf(projectId: number): string {
  return `data key of project ${projectId}`;
}

/** The operator's mistake, not the client's: the same request succeeds once the key is listed. */
function keyMissing(reason: string, cause?: unknown): DomainError {
  const message = `${reason} The operator has to correct SECRETS_KEYS.`;
  return new DomainError('key_missing', message, { cause, retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/** A project has a data key from its creation until it is deleted. */
function deleted(): never {
  throw projectNotFound();
}
