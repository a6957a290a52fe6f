-- oldest code: 0003-administration
-- From the entities. By hand: the new index is made beside the old one, so that reads go on meanwhile.
create index "activity_record_index_with_filters" on "activity" ("record_id", "id") include ("created_at", "activity", "actor_key_id");
drop index "activity_record_index";
alter index "activity_record_index_with_filters" rename to "activity_record_index";

-- By hand: the history of a family is read from the index alone, where autovacuum has seen the rows.
alter table "activity" set (autovacuum_vacuum_insert_scale_factor = 0.02);
