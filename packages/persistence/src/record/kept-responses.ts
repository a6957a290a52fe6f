import {
  tooManyKeptResponses,
  type Author,
  type ConfigRecord,
  type Family,
  type RequestKey,
} from '@plugin-config/domain';
import type pg from 'pg';
import type { Configurations } from '../configuration/configurations.ts';
import { KeptResponseRow } from '../entities/kept-response.row.ts';
import { columns } from '../postgres/columns.ts';
import { prepared, run } from '../postgres/statement.ts';
import { rowOf } from '../postgres/table.ts';
import { INFO_OF_RECORD, OWNER, recordOfId } from './record-columns.ts';

const FULL = columns((row) => ({ isFull: row.flag('h.is_full'), oldestMs: row.number('h.oldest_ms') }));

const KEPT_COUNTS = prepared('kept_counts')`select ${FULL.sql} from kept_responses($1, $2, $3) h`;

const KEEP_RESPONSE = prepared('keep_response')`select keep_response($1, $2, $3, $4, $5, $6::json)`;

/** Counts the responses about a whole project, instead of a family. */
const PROJECT = 'project';

interface Keeping {
  readonly projectId: number;
  /** Null for a response about the whole project. */
  readonly family: Family | null;
  readonly author: Author;
  readonly response: object;
}

/**
 * Keeps a response for repeated requests if the author has a key. The family must be locked, or all families of the project.
 * @throws DomainError `throttled` if too many responses are kept for the API key
 */
export async function keepResponse(
  client: pg.ClientBase,
  { projectId, family, author: { once, actor }, response }: Keeping,
): Promise<void> {
  if (once === undefined) return;
  const { keyId } = actor;
  const counted = family ?? PROJECT;
  const [row] = await run(client, KEPT_COUNTS, [projectId, counted, keyId]);
  const counts = row === undefined ? null : FULL.read(row);
  if (counts?.isFull === true) throw tooManyKeptResponses(counts.oldestMs);
  const text = JSON.stringify(response);
  await run(client, KEEP_RESPONSE, [once.name, projectId, counted, keyId, once.digest, text]);
}

const PLAIN = rowOf(KeptResponseRow, 'k', ['projectId', 'family', 'keyId', 'keptAt', 'number', 'totalBytes']);

const READ_PLAIN = prepared('kept_response')`select ${PLAIN.sql} from kept_response k where k.name = $1`;

/** A kept response, and the digest of the request that it was sent to. */
export interface Kept<T> {
  readonly digest: string;
  readonly value: T;
}

/**
 * Returns a kept response to repeat; null if there is none.
 * @throws DomainError if the first request had another body
 */
function repeated<T>(once: RequestKey, kept: Kept<T> | undefined): T | null {
  if (kept === undefined) return null;
  once.repeat(kept.digest);
  return kept.value;
}

/** Returns the kept response to a request that returns no record; null if there is none. */
export async function keptResponse<T>(client: pg.ClientBase, { once }: Author): Promise<T | null> {
  if (once === undefined) return null;
  const [row] = await run(client, READ_PLAIN, [once.name]);
  if (row === undefined) return null;
  const { response, digest } = PLAIN.read(row);
  return repeated(once, { digest, value: response as T });
}

/** Returns the kept response to a request that returns a record; null if there is none. */
export async function keptRecord<T>(
  connection: pg.Pool | pg.ClientBase,
  configurations: Configurations,
  { once }: Pick<Author, 'once'>,
): Promise<T | null> {
  if (once === undefined) return null;
  const kept = await readKept<T>(connection, configurations, [once.name]);
  return repeated(once, kept.get(once.name));
}

/** Returns a response in the form to keep: without the configuration and the plugin of its record, which may become secret. */
export function withoutSecrets({ record, ...rest }: { readonly record: ConfigRecord }): object {
  const { config: _config, pluginInfo: _pluginInfo, ...kept } = record;
  return { ...rest, record: kept };
}

const KEPT = columns((row) => ({
  kept: row.all(PLAIN),
  pluginInfo: row.textOrNull('p.info'),
  registryVersion: row.numberOrNull('p.registry_version'),
  owner: row.all(OWNER),
  config: row.textOrNull('r.config'),
}));

type Dated = Readonly<Record<'createdAt' | 'updatedAt', string>>;

const READ_KEPT = prepared('read_kept_responses')`select ${KEPT.sql}
  from (
    select k.*, (k.response -> 'record' ->> 'id')::bigint as record_id, (k.response -> 'record' ->> 'plugin')::integer as plugin
    from kept_response k where k.name = any ($1::text[])
  ) k
  left join lateral (select p.info, p.registry_version from plugin p where p.id = k.plugin limit 1) p on true
  join ${recordOfId('k.record_id')} on true
  left join ${INFO_OF_RECORD} on true`;

/** Returns the kept responses with these names, with the current configuration and plugin of their records. */
export async function readKept<T>(
  connection: pg.Pool | pg.ClientBase,
  configurations: Configurations,
  names: readonly string[],
): Promise<ReadonlyMap<string, Kept<T>>> {
  if (names.length === 0) return new Map();
  const found = (await run(connection, READ_KEPT, [names])).map((row) => KEPT.read(row));
  const masker = await configurations.masker(
    connection,
    found.map(({ owner }) => owner),
  );
  return new Map(
    found.map(({ kept: { name, digest, ...kept }, pluginInfo, registryVersion, owner, config }) => {
      const response = kept.response as { readonly record: Dated };
      const record = {
        registryVersion,
        schemaVersion: owner.schemaVersion,
        ...response.record,
        createdAt: new Date(response.record.createdAt),
        updatedAt: new Date(response.record.updatedAt),
        config: masker.record(owner, config),
        pluginInfo,
      };
      return [name, { value: { ...response, record } as T, digest }];
    }),
  );
}
