import {
  cacheVersionOf,
  type AtVersion,
  type FamilyRef,
  type PageRequest,
  type RecordFilter,
  type RecordPage,
} from '@plugin-config/domain';
import { columns } from '../postgres/columns.ts';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { REGISTRY_VERSION } from '../plugin/plugin-columns.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { NO_FAMILY, pageOfRecords } from './page-of-records.ts';
import { RECORD } from './record-columns.ts';

const LISTED = columns((row) => ({
  familyVersion: row.number('f.family_version'),
  registryVersion: row.number(REGISTRY_VERSION),
  listVersion: row.number('f.list_version'),
  count: row.number('t.count'),
  record: row.allOrNull(RECORD),
}));

const lower = (text: string): string => `lower(${text} collate search_collation)`;

/** The SQL of each filter, by the number of its parameter. Each combination of filters is a separate statement with its own plan. */
const FILTERS = {
  deleted: (n: number) => `r.deleted = $${n}`,
  enabled: (n: number) => `r.enabled = $${n}`,
  plugin: (n: number) => `r.plugin = $${n}`,
  search: (n: number) =>
    `(strpos(${lower('r.name')}, ${lower(`$${n}`)}) > 0 or strpos(${lower('r.description')}, ${lower(`$${n}`)}) > 0)`,
};

export type FilterName = keyof typeof FILTERS;

const FILTER_NAMES: readonly FilterName[] = ['enabled', 'plugin', 'search'];

/** Returns the conditions of the filters, whose parameters start at the number. */
export function narrowedBy(filters: readonly FilterName[], from: number): string {
  return filters.map((name, i) => ` and ${FILTERS[name](i + from)}`).join('');
}

export function listStatement(filters: readonly FilterName[]): Statement {
  const matching = `config_record r where r.project_id = $1 and r.family = $2 and r.deleted = $3${narrowedBy(filters, 6)}`;
  return {
    name: ['list_records', ...filters].join('_by_'),
    text: pageOfRecords({
      columns: LISTED.sql,
      matching,
      order: ['position', 'id'],
      limit: '$4',
      offset: '$5',
    }),
  };
}

export type Reading = Pick<EncryptedDatabase, 'pool' | 'primary' | 'configurations'>;

export async function listRecords(
  database: Reading,
  { projectId, family }: FamilyRef,
  filter: RecordFilter,
  { limit, offset }: PageRequest,
): Promise<AtVersion<RecordPage>> {
  const filters = FILTER_NAMES.filter((name) => filter[name] !== null);
  const values = filters.map((name) => filter[name]);
  const parameters = [projectId, family, filter.deleted, limit, offset, ...values];
  const { pool, primary, configurations } = database;
  const rows = await run(pool, listStatement(filters), parameters);
  const listed = rows.map((row) => LISTED.read(row));
  const { familyVersion, registryVersion, count, listVersion } = listed[0] ?? NO_FAMILY;
  const cacheVersion = cacheVersionOf({
    connectionEpoch: primary.connectionEpoch,
    familyVersion,
    registryVersion,
  });
  const stored = listed.flatMap(({ record }) => record ?? []);
  const value = { items: await configurations.mask(pool, stored), count, listVersion };
  return { timelineId: primary.timelineId, registryVersion, familyVersion, cacheVersion, value };
}
