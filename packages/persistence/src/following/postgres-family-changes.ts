import { ALL_RECORDS, type ChangedRecord, type FamilyChanges } from '@plugin-config/domain';
import { REGISTRY_VERSION } from '../configuration/registrations.ts';
import { ConfigRecordRow } from '../entities/config-record.row.ts';
import { columns, textAt, type Columns } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { prepared, run } from '../postgres/statement.ts';
import { fieldsOf } from '../postgres/table.ts';
import { VERSIONS_TEXT } from '../record/family-versions.ts';
import { isVoidCursor } from '../record/void-cursor.ts';

export const FAMILY_VERSIONS = prepared('family_versions')`select ${VERSIONS_TEXT('$1', '$2')}`;

const CHANGED: Columns<ChangedRecord> = fieldsOf(ConfigRecordRow, 'r', [
  'id',
  'version',
  'deleted',
  'familyVersion',
]);

const CHANGES = columns((row) => ({
  familyVersion: row.number('f.family_version'),
  orderVersion: row.number('f.order_version'),
  registryVersion: row.number(REGISTRY_VERSION),
  isCursorInvalid: row.flag(isVoidCursor({ family: '$1, $2', registryVersion: '$6', position: '$3, $4' })),
  record: row.allOrNull(CHANGED),
}));

/**
 * Reads the records of a family only if the family has changed since the cursor. There is no index by family version, since every
 * change to a record would have to update it.
 */
export const FAMILY_CHANGES = prepared('family_changes')`select ${CHANGES.sql}
  from config_family f
  left join lateral (
    select r.id, r.version, r.deleted, r.family_version from config_record r
    where (f.family_version > $3 or f.family_version = $3 and $4 < ${ALL_RECORDS})
      and r.project_id = $1 and r.family = $2 and (r.family_version, r.id) > ($3, $4)
    order by r.family_version, r.id limit $5
  ) r on true
  where f.project_id = $1 and f.family = $2
  order by r.family_version, r.id`;

/** The result for a missing family. */
const NOTHING = { familyVersion: 0, orderVersion: 0, registryVersion: 0, isCursorInvalid: false };

export function postgresFamilyChanges({ pool }: Pick<Database, 'pool'>): FamilyChanges {
  return {
    familyVersions: async (families) => {
      const parameters = [families.map(({ projectId }) => projectId), families.map(({ family }) => family)];
      const [row = []] = await run(pool, FAMILY_VERSIONS, parameters);
      const [registryVersion = 0, ...familyVersions] = textAt(row, 0).split(',').map(Number);
      return { registryVersion, familyVersions: familyVersions.slice(0, families.length) };
    },

    after: async ({ projectId, family }, { familyVersion: after, id, registryVersion: read }, limit) => {
      const rows = await run(pool, FAMILY_CHANGES, [projectId, family, after, id, limit + 1, read]);
      const found = rows.map((row) => CHANGES.read(row));
      const { record: _, ...at } = found[0] ?? { record: null, ...NOTHING };
      const records = found.flatMap(({ record }) => record ?? []);
      return { ...at, records: records.slice(0, limit), isComplete: records.length <= limit };
    },
  };
}
