import { ALL_RECORDS, type ChangedRecord, type FamilyChanges } from '@plugin-config/domain';
import { REGISTRATIONS } from '../plugin/plugin-columns.ts';
import { columns, textAt } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { isVoidCursor } from '../record/void-cursor.ts';

/**
 * The version of the registry, and the revisions in the order of the parameters, 0 for a missing family: one short text is parsed faster
 * than many rows.
 */
export const FAMILY_REVISIONS: Statement = {
  name: 'family_revisions',
  text: `select ${REGISTRATIONS} || ',' || array_to_string(array(
    select (select f.revision from config_family f where f.project_id = q.project and f.family = q.family)
    from unnest($1::bigint[], $2::text[]) with ordinality as q (project, family, number) order by q.number
  ), ',', '0')`,
};

const CHANGED = columns((row): ChangedRecord => ({
  id: row.number('r.id'),
  version: row.number('r.version'),
  deleted: row.flag('r.deleted'),
  revision: row.number('r.family_revision'),
}));

const CHANGES = columns((row) => ({
  revision: row.number('f.revision'),
  orderRevision: row.number('f.order_revision'),
  registryVersion: row.number(REGISTRATIONS),
  isVoid: row.flag(isVoidCursor({ family: '$1, $2', registryVersion: '$6', position: '$3, $4' })),
  record: row.allOrNull(CHANGED),
}));

/**
 * Reads the records of a family only if it has changed after the cursor. There is no index by revision: it would have
 * to be written with each change of a record.
 */
export const FAMILY_CHANGES: Statement = {
  name: 'family_changes',
  text: `select ${CHANGES.sql}
  from config_family f
  left join lateral (
    select r.id, r.version, r.deleted, r.family_revision from config_record r
    where (f.revision > $3 or f.revision = $3 and $4 < ${ALL_RECORDS})
      and r.project_id = $1 and r.family = $2 and (r.family_revision, r.id) > ($3, $4)
    order by r.family_revision, r.id limit $5
  ) r on true
  where f.project_id = $1 and f.family = $2
  order by r.family_revision, r.id`,
};

/** The result for a missing family. */
const NOTHING = { revision: 0, orderRevision: 0, registryVersion: 0, isVoid: false };

export function postgresFamilyChanges({ pool, primary }: Pick<Database, 'pool' | 'primary'>): FamilyChanges {
  return {
    revisions: async (families) => {
      const parameters = [families.map(({ projectId }) => projectId), families.map(({ family }) => family)];
      const [row = []] = await run(pool, FAMILY_REVISIONS, parameters);
      const [registryVersion = 0, ...revisions] = textAt(row, 0).split(',').map(Number);
      return { lineage: primary.lineage, registryVersion, revisions: revisions.slice(0, families.length) };
    },

    after: async ({ projectId, family }, { revision: after, id, registryVersion: read }, limit) => {
      const rows = await run(pool, FAMILY_CHANGES, [projectId, family, after, id, limit + 1, read]);
      const { lineage } = primary;
      const found = rows.map((row) => CHANGES.read(row));
      const { record: _, ...at } = found[0] ?? { record: null, ...NOTHING };
      const records = found.flatMap(({ record }) => record ?? []);
      return {
        lineage,
        ...at,
        records: records.slice(0, limit),
        isComplete: records.length <= limit,
      };
    },
  };
}
