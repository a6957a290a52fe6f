import { TIMEOUT_MS, type AccessResult, type AccessProbe, type AccessQuery } from '@plugin-config/domain';
import { numberAt } from '../postgres/columns.ts';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { prepared, run, shareStatements } from '../postgres/statement.ts';
import { queryAccess } from './query-access.ts';
import { queryAccessByFamily, type FamilyQuery } from './query-access-by-family.ts';
import { KEY } from './key-columns.ts';
import { LRUCache } from 'lru-cache';

const KNOWN_KEYS_MAX = 1000;
const MAX_CONCURRENT = 2;
const MAX_ITEMS = 256;
/** The maximum size of the records of a statement, which is estimated from recent results. */
const MAX_BYTES = 8 * 1024 * 1024;
const MIN_BYTES = 1024;
const DECAY = 0.9;

const GRANTS = prepared('grants')`select ${KEY.sql} from api_key k where k.id = any ($1::bigint[])`;

const EXISTING = prepared('existing_projects')`select p.id from project p where p.id = any ($1::bigint[])`;

/**
 * Sends the queries of a tick in two statements, one for queries about families and one for all others, so a read does not wait
 * for the query of a write. A query only joins a statement that has not been sent, so its result is never stale. Accounts, and
 * keys whose account is not known yet, are served round robin.
 */
export function postgresAccessProbe(
  database: Pick<EncryptedDatabase, 'pool' | 'primary' | 'configurations'>,
): AccessProbe {
  // The account of a key never changes.
  const accounts = new LRUCache<string, number>({ max: KNOWN_KEYS_MAX });
  const learnAccounts = (queries: readonly AccessQuery[], results: readonly AccessResult[]): void => {
    for (const [i, { key }] of results.entries())
      if (key !== null) accounts.set((queries[i] as AccessQuery).keyHash, key.accountId);
  };
  const common = {
    maxConcurrent: MAX_CONCURRENT,
    tenantOf: ({ keyHash }: AccessQuery) => accounts.get(keyHash) ?? keyHash,
    isTooLate: (_: AccessQuery, waitedMs: number) => waitedMs >= TIMEOUT_MS,
  };
  const queryFamilies = shareStatements<FamilyQuery, AccessResult>({
    ...common,
    maxItems: MAX_ITEMS,
    send: async (queries) => {
      const results = await queryAccessByFamily(database, queries);
      learnAccounts(queries, results);
      return results;
    },
  });
  const size = recordSizeEstimate();
  const queryOthers = shareStatements<AccessQuery, AccessResult>({
    ...common,
    maxItems: MAX_ITEMS,
    maxBytes: MAX_BYTES,
    bytesOf: size.estimate,
    send: async (queries) => {
      const results = await queryAccess(database, queries);
      size.update(results);
      learnAccounts(queries, results);
      return results;
    },
  });
  return {
    read: (query) => (isAboutFamily(query) ? queryFamilies(query) : queryOthers(query)),
    grants: async (keyIds) => {
      const rows = await run(database.pool, GRANTS, [keyIds]);
      return new Map(rows.map((row) => KEY.read(row).grant).map((grant) => [grant.id, grant]));
    },
    existing: async (projectIds) =>
      new Set((await run(database.pool, EXISTING, [projectIds])).map((row) => numberAt(row, 0))),
  };
}

function isAboutFamily(query: AccessQuery): query is FamilyQuery {
  return typeof query.project === 'number' && query.family !== null && query.recordId === null;
}

/** Estimates the size of a record as that of the largest recent configuration, which decays over time. */
function recordSizeEstimate() {
  let bytes = MAX_BYTES / 32;
  return {
    estimate: (): number => bytes,
    update: (results: readonly AccessResult[]): void => {
      const largest = results.reduce((most, { record }) => Math.max(most, record?.config.length ?? 0), 0);
      bytes = Math.max(largest, bytes * DECAY, MIN_BYTES);
    },
  };
}
