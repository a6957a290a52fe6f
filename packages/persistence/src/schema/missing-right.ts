import * as rows from '../entities/index.ts';
import type { Database } from '../postgres/database.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { FUNCTIONS, MIGRATION_TABLE, migrations } from './sql-files.ts';

const TABLES = Object.values(rows).map(({ meta }) => meta.tableName);
/** The sequences that statements use directly. Other identity columns need no right. */
const SEQUENCES = ['config_record_id_seq', 'dead_letter_id_seq', 'log_follow_epoch_seq'];
const FUNCTION_NAMES = namesIn(
  [...migrations.map(({ text }) => text), ...FUNCTIONS].join('\n'),
  /\bcreate (?:or replace )?function (\w+)/g,
);

const OWN_SCHEMA = '(select oid from pg_namespace where nspname = current_schema())';

/** Finds a right that the role lacks on an object of the service. */
const MISSING_RIGHT: Statement = {
  name: 'missing_right',
  text: `
    select current_user, quote_ident(current_user), quote_ident(current_schema()), kind, name, needed from (
      select 'table' as kind, relname as name, needed, has_table_privilege(oid, needed) as has_it
      from pg_class, unnest(array['select', 'insert', 'update', 'delete']) needed
      where relnamespace = ${OWN_SCHEMA} and relkind in ('r', 'p')
        and (relname = any ($1) or relname = $2 and needed = 'select')
      union all
      select 'sequence', relname, 'usage', has_sequence_privilege(oid, 'usage')
      from pg_class where relnamespace = ${OWN_SCHEMA} and relkind = 'S' and relname = any ($3)
      union all
      select 'function', proname, 'execute', has_function_privilege(oid, 'execute')
      from pg_proc where pronamespace = ${OWN_SCHEMA} and proname = any ($4)
    ) needs
    where not has_it order by kind desc, name, needed limit 1`,
  timeoutMs: 2_000,
};

const GRANTS: Readonly<Record<string, string>> = {
  table: 'select, insert, update, delete on all tables',
  sequence: 'usage on all sequences',
  function: 'execute on all functions',
};

/** Returns a message about a right that the role lacks and how to grant it; null if it has all rights. */
export async function missingRight({ pool }: Pick<Database, 'pool'>): Promise<string | null> {
  const [row] = await run(pool, MISSING_RIGHT, [TABLES, MIGRATION_TABLE, SEQUENCES, FUNCTION_NAMES]);
  if (row === undefined) return null;
  const [role, grantee, schema, kind = '', name, needed] = row;
  return `The role ${role} lacks the right to ${needed} on the ${kind} ${name}: have its owner run "grant ${GRANTS[kind ?? '']} in schema ${schema} to ${grantee}".`;
}

function namesIn(sql: string, pattern: RegExp): readonly string[] {
  return [...sql.matchAll(pattern)].flatMap(([, name = '']) => name);
}
