import type pg from 'pg';

/** Columns with a collation other than the default of their type. */
const COLLATED = `
  select '  ' || a.attname || ' collate ' || quote_ident(co.collname)
  from pg_attribute a join pg_type t on t.oid = a.atttypid join pg_collation co on co.oid = a.attcollation
  where a.attrelid = c.oid and a.attnum > 0 and a.attcollation <> t.typcollation
  order by a.attnum`;

/** Indexes on expressions. */
const INDEXES = `
  select '  ' || pg_get_indexdef(i.indexrelid) from pg_index i
  where i.indrelid = c.oid and i.indexprs is not null order by i.indexrelid::regclass::text`;

const TRIGGERS = `
  select '  ' || pg_get_triggerdef(g.oid) from pg_trigger g
  where g.tgrelid = c.oid and not g.tgisinternal order by g.tgname`;

/** Tables with the properties that the comparison with the entities does not cover. */
const TABLES = `
  select concat_ws(E'\\n',
    case c.relpersistence when 'u' then 'unlogged ' else '' end || 'table ' || c.relname
      || coalesce(' partition by ' || pg_get_partkeydef(c.oid), '')
      || coalesce(' with (' || array_to_string(c.reloptions, ', ') || ')', '')
      || case when exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary) then '' else ' without primary key' end,
    nullif(array_to_string(array(${COLLATED}) || array(${INDEXES}) || array(${TRIGGERS}), E'\\n'), '')
  ) as text
  from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
  order by c.relname`;

/** Sequences except for identity columns. */
const SEQUENCES = `
  select 'sequence ' || c.relname as text from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'S'
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'i')
  order by c.relname`;

/** Names of the collations. Their definitions depend on the version of the server. */
const COLLATIONS = `
  select 'collation ' || o.collname as text from pg_collation o
  where o.collnamespace = current_schema()::regnamespace order by o.collname`;

/** Signatures of functions. Their bodies are in the folder `functions`. */
const FUNCTIONS = `
  select 'function ' || f.oid::regprocedure as text from pg_proc f
  where f.pronamespace = current_schema()::regnamespace order by f.proname`;

/** Describes everything that the comparison with the entities does not cover, for comparison with `catalogue.sql`. */
export async function catalogueOf(database: pg.Pool | pg.ClientBase): Promise<string> {
  const texts: string[] = [];
  for (const query of [COLLATIONS, SEQUENCES, TABLES, FUNCTIONS]) {
    const { rows } = await database.query<{ readonly text: string }>(query);
    texts.push(...rows.map(({ text }) => text), '');
  }
  return texts.join('\n');
}
