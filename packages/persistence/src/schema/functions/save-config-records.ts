import { numberedRows, type RowOf } from '../../postgres/numbered-rows.ts';
import { ENTRY, entriesIn } from '../../writing/history-entries.ts';
import { BATCH_LOCKS, BATCH_PARAMETERS, BATCH_PLANS } from '../../writing/lock-batch.ts';
import { RECORD_CHANGE, SET_CHANGE } from '../../writing/record-values.ts';
import { write } from '../../writing/write.ts';

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

const SAVED = write({
  first: {
    change: `select c.*, c.family_number <> all (locked_families) or c.plugin <> all (plugins) as busy
    from ${numberedRows('changes', CHANGE, 'c')}`,
  },
  update: {
    set: SET_CHANGE,
    from: 'change c',
    where: `r.id = c.id and not c.busy
      and r.project_id is not distinct from c.project_id and r.family is not distinct from c.family
      and r.version = c.version and r.config_revision = c.config_revision
      and (select i.revision from plugin i where i.id = c.plugin) is not distinct from c.plugin_revision`,
    returning: `r.error, r.delivery_rate, c.number, ${Object.keys(ENTRY)
      .map((name) => `c.${name}`)
      .join(', ')}`,
  },
  entries: { from: 'written w order by w.number', record: 'w.id', ...entriesIn('w') },
  raises: 'records',
  result: `select w.number, false, w.error, w.delivery_rate from written w
  union all
  select c.number, true, null, null from change c where c.busy`,
});

/**
 * Stores each change whose record, configuration and plugin are unchanged since it was decided; of several for one
 * record, any one. Returns the stored ones by their number in the batch, with the reported values; and those whose
 * family or plugin is locked by others as busy.
 */
export const SAVE_CONFIG_RECORDS = `
create or replace function save_config_records(${BATCH_PARAMETERS})
returns table (number bigint, busy boolean, error text, delivery_rate text)
language plpgsql ${BATCH_PLANS} as $function$
#variable_conflict use_column
declare
  locked_families bigint[];
begin
  ${BATCH_LOCKS}

  return query
  ${SAVED};
end
$function$`;
