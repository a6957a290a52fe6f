import { ENTRY, entryIn, insertActivity } from '../../activity/insert-activity.ts';
import { numberedRows, type RowOf } from '../../postgres/numbered-rows.ts';
import { LOCKS, PARAMETERS, PLANS } from './lock-batch.ts';
import { RAISE_VERSION } from './raise-family.ts';
import { RECORD_CHANGE, SET_CHANGE } from './record-change.ts';

const CHANGE = {
  id: 'bigint',
  project_id: 'bigint',
  family: 'text',
  family_number: 'integer',
  version: 'bigint',
  config_revision: 'bigint',
  plugin_revision: 'bigint',
  ...RECORD_CHANGE,
  ...ENTRY,
} as const;

export type ChangeRow = RowOf<typeof CHANGE>;

/**
 * Stores each change whose record, configuration and plugin are unchanged since it was decided; of several for one
 * record, any one. Returns the stored ones by their number in the batch, with the reported values; and those whose
 * family or plugin is locked by others as busy.
 */
export const SAVE_CONFIG_RECORDS = `
create or replace function save_config_records(${PARAMETERS})
returns table (number bigint, busy boolean, error text, delivery_rate text)
language plpgsql ${PLANS} as $function$
#variable_conflict use_column
declare
  locked_families bigint[];
begin
  ${LOCKS}

  return query
  with change as materialized (
    select c.*, c.family_number <> all (locked_families) or c.plugin <> all (plugins) as busy
    from ${numberedRows('changes', CHANGE, 'c')}
  ),
  stored as (
    update config_record r set${SET_CHANGE}
    from change c
    where r.id = c.id and not c.busy
      and r.project_id is not distinct from c.project_id and r.family is not distinct from c.family
      and r.version = c.version and r.config_revision = c.config_revision
      and (select i.revision from plugin i where i.id = c.plugin) is not distinct from c.plugin_revision
    returning r.id, r.project_id, r.family, r.error, r.delivery_rate,
      c.number, ${Object.keys(ENTRY)
        .map((name) => `c.${name}`)
        .join(', ')}
  ),
  logged as (
    ${insertActivity({ record: 's.id', ...entryIn('s') }, 'stored s order by s.number')}
  ),
  raised as (
    ${RAISE_VERSION}
    where (f.project_id, f.family) in (select s.project_id, s.family from stored s)
  )
  select s.number, false, s.error, s.delivery_rate from stored s
  union all
  select c.number, true, null, null from change c where c.busy;
end
$function$`;
