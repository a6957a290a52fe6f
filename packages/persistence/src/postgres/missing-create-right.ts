import type { Database } from './database.ts';
import { run, type Statement } from './statement.ts';

const MAY_CREATE: Statement = {
  name: 'may_create',
  text: `select current_user, quote_ident(current_user), quote_ident(current_schema())
    where not has_schema_privilege(current_schema(), 'create')`,
  timeoutMs: 2_000,
};

/** Returns a message that says how to fix it if the role may not create tables; null if it may. */
export async function missingCreateRight({ pool }: Pick<Database, 'pool'>): Promise<string | null> {
  const [row] = await run(pool, MAY_CREATE, []);
  if (row === undefined) return null;
  const [role, grantee, schema] = row;
  return `The role ${role} lacks the right to create on the schema ${schema}: have its owner run "grant create on schema ${schema} to ${grantee}".`;
}
