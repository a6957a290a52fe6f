import type pg from 'pg';
import { familyNumber, type Family, type FamilyRef } from '@plugin-config/domain';
import { columns } from '../postgres/columns.ts';
import { prepared, run } from '../postgres/statement.ts';

/** Locks the row of a family. Every writer of its records does this first. */
export const LOCK_FAMILY = prepared('lock_family')`
  select f.list_version from config_family f where f.project_id = $1 and f.family = $2 for no key update`;

const LOCK_FAMILIES = prepared('lock_families')`select from config_family
  where (project_id, family) in (select * from unnest($1::bigint[], $2::text[]))
  order by project_id, family
  for no key update`;

const FAMILY = columns((row) => ({
  projectId: row.number('project_id'),
  family: row.text('family') as Family,
}));

const LOCK_FREE_FAMILIES = prepared('lock_free_families')`select ${FAMILY.sql} from config_family
  where (project_id, family) in (select * from unnest($1::bigint[], $2::text[]))
  order by project_id, family
  for no key update skip locked`;

/** Locks the families that are not locked yet. Returns a function that says whether a family was locked. */
export async function lockFreeFamilies(
  client: pg.ClientBase,
  families: readonly FamilyRef[],
): Promise<(family: FamilyRef) => boolean> {
  const rows = await run(client, LOCK_FREE_FAMILIES, columnsOf(families));
  const locked = new Set(rows.map((row) => familyNumber(FAMILY.read(row))));
  return (family) => locked.has(familyNumber(family));
}

/**
 * Locks families until the transaction ends, in the same order as all writers. Returns false if one is missing. A deleted project
 * has no families, though its records may still exist.
 */
export async function lockFamilies(client: pg.ClientBase, families: readonly FamilyRef[]): Promise<boolean> {
  return (await run(client, LOCK_FAMILIES, columnsOf(families))).length === families.length;
}

function columnsOf(families: readonly FamilyRef[]): readonly (readonly (number | string)[])[] {
  return [families.map(({ projectId }) => projectId), families.map(({ family }) => family)];
}
