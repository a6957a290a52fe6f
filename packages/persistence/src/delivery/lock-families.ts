import type pg from 'pg';
import { run, type Statement } from '../statement.ts';

const LOCK_FAMILIES: Statement = {
  name: 'lock_families',
  text: `select from config_family
  where (project_id, family) in (select * from unnest($1::bigint[], $2::text[]))
  order by project_id, family
  for no key update`,
};

/** Takes families for the rest of the transaction, in the order that everybody takes them in. */
export async function lockFamilies(
  client: pg.ClientBase,
  families: readonly { readonly projectId: number; readonly family: string }[],
): Promise<void> {
  await run(client, LOCK_FAMILIES, [
    families.map(({ projectId }) => projectId),
    families.map(({ family }) => family),
  ]);
}
