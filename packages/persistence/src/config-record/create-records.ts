import {
  describeCreation,
  noNextOrder,
  unregistered,
  type Author,
  type ConfigRecord,
  type DomainError,
  type FamilyRef,
  type RecordDraft,
} from '@plugin-config/domain';
import { numberAt, textOrNullAt } from '../cells.ts';
import type { Database } from '../database.ts';
import { run, type Cells, type Statement } from '../statement.ts';
import { RECORD_COLUMNS, recordAt } from './record-columns.ts';

export const CREATE_RECORDS: Statement = {
  name: 'create_records',
  text: `select c.number, c.refused, ${RECORD_COLUMNS}
  from create_config_records($1) c,
  lateral (select (c.created).*) r,
  lateral (select c.plugin_info as info) i`,
};

const RECORD = 2;

export interface Creation {
  readonly family: FamilyRef;
  readonly draft: RecordDraft;
  readonly author: Author;
  readonly requireRegistered: boolean;
}

/** Stores them in one transaction. Each comes to its record, or to what it was refused for. */
export async function createRecords(
  { pool }: Pick<Database, 'pool'>,
  creations: readonly Creation[],
): Promise<readonly (ConfigRecord | DomainError)[]> {
  const rows = await run(pool, CREATE_RECORDS, [JSON.stringify(creations.map(draftOf))]);
  const byNumber = rows.toSorted((a, b) => numberAt(a, 0) - numberAt(b, 0));
  return creations.map(({ draft }, i) => resultOf(byNumber[i] ?? [], draft));
}

function resultOf(row: Cells, { plugin }: RecordDraft): ConfigRecord | DomainError {
  const refused = textOrNullAt(row, 1);
  if (refused === null) return recordAt(row, RECORD);
  return refused === 'unregistered' ? unregistered(plugin) : noNextOrder();
}

function draftOf({ family, draft, author, requireRegistered }: Creation): object {
  return {
    project_id: family.projectId,
    family: family.family,
    plugin: draft.plugin,
    enabled: draft.enabled,
    position: draft.order,
    name: draft.name,
    description: draft.description,
    deleted: draft.deleted,
    require_registered: requireRegistered,
    at: author.at,
    actor_key_id: author.actor.keyId,
    actor_label: author.actor.label,
    request_id: author.requestId,
    told: JSON.stringify(describeCreation(draft, author).changes),
  };
}
