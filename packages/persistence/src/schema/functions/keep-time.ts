/**
 * Keeps the times of a history from decreasing, whoever writes and whatever their clocks say. Writers of a record lock
 * its family. The range of one record forces the lookup by index, even while the table is small.
 */
const KEEP_TIME = `
create or replace function keep_time() returns trigger language plpgsql as $function$
begin
  new.created_at := greatest(new.created_at, (
    select a.created_at from activity a
    where a.record_id between new.record_id and new.record_id order by a.record_id desc, a.id desc limit 1
  ));
  return new;
end
$function$`;

const ACTIVITY_TIME_TRIGGER = `
create or replace trigger activity_time_trigger before insert on activity for each row execute function keep_time()`;

export const KEEP_TIME_OF_ACTIVITY = [KEEP_TIME, ACTIVITY_TIME_TRIGGER];
