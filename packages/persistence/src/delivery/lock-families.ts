import type pg from 'pg';
import { textAt } from '../cells.ts';
import { run, type Statement } from '../statement.ts';

const LOCK_FAMILIES: Statement = {
  name: 'lock_families',
  text: `select from config_family
  where (project_id, family) in (select * from unnest($1::bigint[], $2::text[]))
  order by project_id, family
  for no key update`,
};

const LOCK_FREE_FAMILIES: Statement = {
  name: 'lock_free_families',
  text: `select project_id, family from config_family
  where (project_id, family) in (select * from unnest($1::bigint[], $2::text[]))
  order by project_id, family
  for no key update skip locked`,
};

/** Takes those families that nobody else has at the moment. Answers which rows of theirs it may write. */
export async function lockFreeFamilies(
  client: pg.ClientBase,
  families: readonly FamilyOf[],
): Promise<(of: FamilyOf) => boolean> {
  const rows = await run(client, LOCK_FREE_FAMILIES, columnsOf(families));
  const taken = new Set(rows.map((row) => `${textAt(row, 0)} ${textAt(row, 1)}`));
  return ({ projectId, family }) => taken.has(`${projectId} ${family}`);
}

/** Takes families for the rest of the transaction, in the order that everybody takes them in. */
export async function lockFamilies(client: pg.ClientBase, families: readonly FamilyOf[]): Promise<void> {
  await run(client, LOCK_FAMILIES, columnsOf(families));
}

interface FamilyOf {
  readonly projectId: number;
  readonly family: string;
}

function columnsOf(families: readonly FamilyOf[]): readonly (readonly (number | string)[])[] {
  return [families.map(({ projectId }) => projectId), families.map(({ family }) => family)];
}
