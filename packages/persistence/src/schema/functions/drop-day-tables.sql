-- Drops the tables of a day, or fails with `lock_not_available`. Other sessions queue behind a wait for a table lock, so all
-- waits share one time limit.
create or replace function drop_day_tables(ended_day date, parents text[]) returns void
language plpgsql set lock_timeout = '250ms' as $function$
declare
  parts constant text[] := array(select p || to_char(ended_day, '_YYYYMMDD') from unnest(parents) p);
  ends constant timestamptz := clock_timestamp() + interval '250 milliseconds';
  relation text;
begin
  foreach relation in array parents || parts loop
    perform set_config(
      'lock_timeout', greatest(1, extract(epoch from ends - clock_timestamp()) * 1000)::integer::text, true
    );
    execute format('lock table only %I in access exclusive mode', relation);
  end loop;
  execute 'drop table ' || array_to_string(parts, ', ');
end
$function$;
