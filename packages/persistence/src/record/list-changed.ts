import {
  ALL_RECORDS,
  cacheVersionOf,
  positionAfterPage,
  type AtVersion,
  type ChangedFilter,
  type ChangedPage,
  type FamilyCursor,
  type FamilyRef,
  type PageRequest,
} from '@plugin-config/domain';
import { columns } from '../postgres/columns.ts';
import { REGISTRY_VERSION } from '../plugin/plugin-columns.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { narrowedBy, type FilterName, type Reading } from './list-records.ts';
import { NO_FAMILY, pageOfRecords } from './page-of-records.ts';
import { RECORD } from './record-columns.ts';
import { isVoidCursor } from './void-cursor.ts';

const CHANGED = columns((row) => ({
  id: row.number('r.id'),
  familyVersion: row.number('r.family_version'),
  record: row.all(RECORD),
}));

const LISTED = columns((row) => ({
  familyVersion: row.number('f.family_version'),
  registryVersion: row.number(REGISTRY_VERSION),
  listVersion: row.number('f.list_version'),
  isVoid: row.flag(isVoidCursor({ family: '$1, $2', registryVersion: '$5', position: '$3, $4' })),
  count: row.number('t.count'),
  changed: row.allOrNull(CHANGED),
}));

const FILTER_NAMES: readonly FilterName[] = ['deleted', 'enabled', 'plugin', 'search'];

/** Compares the family version with the cursor first, to skip the scan if the family has not changed. */
const IS_AFTER = `(
    select c.family_version > $3 or c.family_version = $3 and $4 < ${ALL_RECORDS}
    from config_family c where c.project_id = $1 and c.family = $2
  )`;

export function listChangedStatement(filters: readonly FilterName[]): Statement {
  const matching = `config_record r where r.project_id = $1 and r.family = $2
    and ${IS_AFTER} and (r.family_version, r.id) > ($3, $4)${narrowedBy(filters, 8)}`;
  return {
    name: ['list_changed_records', ...filters].join('_by_'),
    text: pageOfRecords({
      columns: LISTED.sql,
      matching,
      order: ['family_version', 'id'],
      limit: '$6',
      offset: '$7',
    }),
  };
}

export async function listChanged(
  { pool, primary, configurations }: Reading,
  { projectId, family }: FamilyRef,
  since: FamilyCursor,
  filter: ChangedFilter,
  { limit, offset }: PageRequest,
): Promise<AtVersion<ChangedPage>> {
  const filters = FILTER_NAMES.filter((name) => filter[name] !== null);
  const values = filters.map((name) => filter[name]);
  const position = [since.familyVersion, since.id, since.registryVersion];
  const parameters = [projectId, family, ...position, limit, offset, ...values];
  const rows = await run(pool, listChangedStatement(filters), parameters);
  const listed = rows.map((row) => LISTED.read(row));
  const { familyVersion, registryVersion, count, listVersion, isVoid } = listed[0] ?? NO_FAMILY;
  const cacheVersion = cacheVersionOf({
    connectionEpoch: primary.connectionEpoch,
    familyVersion,
    registryVersion,
  });
  const last = listed.flatMap(({ changed }) => changed ?? []);
  const stored = last.map(({ record }) => record);
  const items = await configurations.mask(pool, stored);
  const end = positionAfterPage(familyVersion, { offset, count, last }, since);
  const value = { items, count, listVersion, end, isVoid };
  return { timelineId: primary.timelineId, registryVersion, familyVersion, cacheVersion, value };
}
